import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { openCatalogue } from './catalogue/catalogue.ts'
import { answerControl, type Control } from './control/control.ts'
import { type Fault, Faults } from './control/faults.ts'
import { pageOf } from './control/page.ts'
import { RequestLog } from './control/request-log.ts'
import { json, openToBrowsers, type Reply, send, text } from './http/reply.ts'
import { Mailbox } from './mail/mailbox.ts'
import { openSmtp, type Smtp } from './mail/smtp.ts'
import { AccountJournal } from './stripe/account-journal.ts'
import { StripeAccount } from './stripe/stripe-account.ts'
import { Webhooks } from './stripe/webhooks.ts'
import type { Vendor } from './vendor.ts'
import { openVendors } from './vendors.ts'

export type SandboxSettings = {
  /** 0 takes a free one. */
  port: number
  host?: string
  /** Where Stripe's account is kept while nothing runs; none: in memory alone. */
  dataFolder?: string | undefined
  /** A folder of audio to serve as one more show. */
  mediaFolder?: string | undefined
  /** Where Stripe's events go; none: nowhere, until `/control/stripe` says so. */
  webhookUrl?: string | undefined
  webhookSecret?: string | undefined
  /** 0, as without it, takes a free one. */
  smtpPort?: number
}

export type Sandbox = { url: string; smtpUrl: string; close(): Promise<void> }

/** Starts the sandbox. @throws the listening error, and when a folder cannot be used. */
export async function startSandbox({
  port,
  host = '127.0.0.1',
  dataFolder,
  mediaFolder,
  webhookUrl,
  webhookSecret = 'whsec_sandbox',
  smtpPort = 0,
}: SandboxSettings): Promise<Sandbox> {
  const journal = new AccountJournal(dataFolder)
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const url = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${(server.address() as AddressInfo).port}`

  const faults = new Faults()
  const requests = new RequestLog()
  const webhooks = new Webhooks(
    { url: webhookUrl ?? null, secret: webhookSecret },
    { faults, requests, journal },
  )
  const account = new StripeAccount(webhooks, journal)
  const mailbox = new Mailbox()
  let smtp: Smtp | undefined

  const close = async () => {
    account.close()
    await smtp?.close()
    await new Promise<void>((closed) => {
      server.close(() => closed())
      server.closeAllConnections()
    })
  }
  try {
    const catalogue = openCatalogue(url, mediaFolder)
    smtp = await openSmtp({ mailbox, faults, requests }, smtpPort, host)
    const vendors = Object.values(openVendors({ catalogue, account, mailbox }))
    const control: Control = { faults, requests, stripe: account }
    server.on('request', (request, response) => {
      answer({ vendors, control, page: () => pageOf(catalogue, vendors) }, url, request, response).catch(
        (error: unknown) => {
          // A client that went away is no failure of the sandbox.
          if (!request.destroyed && !response.destroyed) console.error(error)
          response.destroy()
        },
      )
    })
    return { url, smtpUrl: smtp.url, close }
  } catch (error) {
    await close()
    throw error
  }
}

type World = { vendors: readonly Vendor[]; control: Control; page: () => string }

async function answer(
  { vendors, control, page }: World,
  baseUrl: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = URL.parse(baseUrl + (request.url ?? ''))
  if (!url || !request.url?.startsWith('/')) return send(request, response, text(400, 'Not an address.'))

  const vendor = vendors.find(({ paths }) => paths.some((path) => url.pathname.startsWith(path)))
  if (vendor) return answerAsVendor(vendor, control, url, request, response)

  if (url.pathname.startsWith('/control/')) {
    return send(request, response, await answerControl(control, request, url))
  }
  if (url.pathname === '/') return send(request, response, text(200, page(), 'text/html; charset=utf-8'))
  if (url.pathname === '/health') return send(request, response, json(200, { status: 'ok' }))
  return send(request, response, text(404, 'Nothing is here. See / for what is.'))
}

async function answerAsVendor(
  vendor: Vendor,
  { faults, requests }: Control,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const entry = requests.add(vendor.name, request.method ?? '', url.pathname + url.search)
  const fault = faults.take(vendor.name)
  if (fault?.kind === 'down') {
    response.destroy()
    return
  }

  let breaksOff = false
  const left = new AbortController()
  response.on('close', () => {
    entry.aborted = !response.writableFinished && !breaksOff
    left.abort()
  })
  if (fault?.kind === 'hanging') return
  if (fault?.kind === 'slow') await sleep(fault.delayMs, undefined, { signal: left.signal })

  const reply = faultyReply(vendor, fault) ?? (await properReply(vendor, url, request, fault))
  request.resume()
  entry.status = reply.status
  breaksOff = reply.breaksAfterBytes !== undefined
  await send(request, response, reply, fault?.kind === 'dripping' ? fault.bytesPerSecond : undefined)
}

function faultyReply(vendor: Vendor, fault: Fault | undefined): Reply | undefined {
  if (fault?.kind === 'failing') {
    return fault.body === undefined
      ? vendor.failure(fault.status, 'The sandbox was told to fail.')
      : text(fault.status, fault.body)
  }
  if (fault?.kind === 'rateLimited') {
    const reply = vendor.failure(429, 'The sandbox was told to limit the rate.')
    return { ...reply, headers: { ...reply.headers, 'retry-after': String(fault.retryAfterSeconds) } }
  }
  return undefined
}

async function properReply(
  vendor: Vendor,
  url: URL,
  request: IncomingMessage,
  fault: Fault | undefined,
): Promise<Reply> {
  const { method = '', headers } = request
  if (method === 'OPTIONS') {
    const allowed = {
      'access-control-allow-methods': vendor.methods.join(', '),
      'access-control-allow-headers': '*',
    }
    return { status: 204, headers: { ...openToBrowsers, ...allowed } }
  }
  if (!vendor.methods.includes(method)) return vendor.failure(405, 'Not this method.')
  try {
    return await vendor.answer({ method, url, headers, body: request, fault })
  } catch (error) {
    if (error instanceof URIError) return vendor.failure(400, 'Not an address.')
    throw error
  }
}
