import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { Fault, Faults } from '../control/faults.ts'
import type { LoggedRequest, RequestLog } from '../control/request-log.ts'
import type { Mailbox } from './mailbox.ts'

export type Smtp = { url: string; close(): Promise<void> }

const greatestMessageBytes = 10_000_000

type World = { mailbox: Mailbox; faults: Faults; requests: RequestLog }

/**
 * A mail server that delivers to the mailbox alone: plain, for any recipient, and with any name and password.
 * A fault is met by the next mail (its MAIL command), except `down`, which already ends the connection.
 * @throws the listening error.
 */
export async function openSmtp(world: World, port: number, host: string): Promise<Smtp> {
  const closed = new AbortController()
  const entries = new Map<string, LoggedRequest>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    allowInsecureAuth: true,
    size: greatestMessageBytes,
    logger: false,
    closeTimeout: 100,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? 'anyone' }),
    onClose: ({ id }) => {
      const entry = entries.get(id)
      if (entry?.status === null) entry.aborted = true
      entries.delete(id)
    },
    onMailFrom: (address, session, done) => {
      meet(world, entries, address.address, session, closed.signal).then((error) => {
        if (error !== 'never') done(error)
      }, done)
    },
    onData: (stream, session, done) => {
      receive(world, entries.get(session.id), stream, session).then(
        (id) => done(null, `Queued as ${id}`),
        done,
      )
    },
  })
  // A client that breaks off is no failure of the sandbox.
  server.on('error', () => undefined)
  const listener = server.listen(port, host)
  await once(listener, 'listening')
  listener.on('connection', (socket) => {
    if (world.faults.all.mail?.kind !== 'down') return
    world.faults.take('mail')
    world.requests.add('mail', 'CONNECT', '')
    socket.destroy()
  })
  const url = `smtp://${host === '0.0.0.0' ? '127.0.0.1' : host}:${(listener.address() as AddressInfo).port}`
  return {
    url,
    close: () => {
      closed.abort()
      return new Promise((done) => server.close(done))
    },
  }
}

type SmtpError = Error & { responseCode: number }

/** What the mail that begins here meets: an error, nothing, or never an answer. */
async function meet(
  { faults, requests }: World,
  entries: Map<string, LoggedRequest>,
  from: string,
  session: SMTPServerSession,
  closed: AbortSignal,
): Promise<SmtpError | null | 'never'> {
  const entry = requests.add('mail', 'MAIL', from)
  entries.set(session.id, entry)
  const fault = faults.take('mail')
  if (fault?.kind === 'hanging') return 'never'
  if (fault?.kind === 'slow') await sleep(fault.delayMs, undefined, { signal: closed, ref: false })
  const code = codeOf(fault)
  if (code === undefined) return null
  entry.status = code
  return Object.assign(new Error('The sandbox was told to fail'), { responseCode: code })
}

/** SMTP has 4xx for what is worth another try and 5xx for what is not, so the statuses of HTTP do as they are. */
function codeOf(fault: Fault | undefined): number | undefined {
  switch (fault?.kind) {
    case 'failing':
      return fault.status
    case 'rateLimited':
      return 451
    case 'down':
      return 421
    default:
      return undefined
  }
}

async function receive(
  { mailbox }: World,
  entry: LoggedRequest | undefined,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of stream as AsyncIterable<Buffer>) parts.push(part)
  if (entry) entry.status = stream.sizeExceeded ? 552 : 250
  if (stream.sizeExceeded) throw Object.assign(new Error('The message is too large'), { responseCode: 552 })
  const { id } = await mailbox.add(
    Buffer.concat(parts),
    session.envelope.rcptTo.map(({ address }) => address),
  )
  return id
}
