/** The parts that the product stands on, each started in its own way or taken from where the user says. */
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cacheFolder, NoSpeechModelError, resolveModel } from '@earmark/speech/model'
import { isRunning } from '../../scripts/process-lock.mjs'
import { repositoryRoot } from './installation.ts'
import { findFreePort, isListening } from './ports.ts'
import { startPostgres, type Postgres } from './postgres.ts'
import { keepRunning, lastLines } from './processes.ts'
import { progressLine } from './progress.ts'
import type { Session } from './session.ts'
import type { SandboxPlace } from './settings.ts'
import { startTemporal } from './temporal.ts'
import { findTemporalCli } from './temporal-cli.ts'

const startTimeoutSeconds = 60

/** The port this part had the last time, or a new one where that is taken now. */
const rememberedPort = async ({ installation }: Session, part: string): Promise<number> => {
  const port = await findFreePort(installation.read(`port-${part}`) as number | undefined)
  installation.write(`port-${part}`, port)
  return port
}

export const database = async (session: Session): Promise<{ url: string; isOurs: boolean }> => {
  const { settings, installation, say } = session
  if (settings.DATABASE_URL) return { url: settings.DATABASE_URL, isOurs: false }
  const port = installation.read('port-postgres') as number | undefined
  let postgres = await startPostgres({ dataDir: installation.folder, port })
  installation.write('port-postgres', Number(new URL(postgres.url).port))
  session.stopLater('postgres', (graceSeconds) => postgres.stop(graceSeconds))
  say(`Database: PostgreSQL ${postgres.wasAdopted ? 'was running already' : 'is up'}.`)
  void keepPostgresRunning(
    session,
    () => postgres,
    (next) => {
      postgres = next
    },
  )
  return { url: postgres.url, isOurs: true }
}

const keepPostgresRunning = async (
  session: Session,
  current: () => Postgres,
  replace: (next: Postgres) => void,
) => {
  const { url } = current()
  while (!session.isStopping()) {
    await sleep(500)
    if (isRunning(current().process) || session.isStopping()) continue
    session.say('The database ended; starting it again.')
    const port = Number(new URL(url).port)
    const next = await startPostgres({ dataDir: session.installation.folder, port }).catch(
      (error: unknown) => {
        session.say(error instanceof Error ? error.message : String(error))
      },
    )
    if (next) replace(next)
    if (next && next.url !== url)
      session.say('The database had to move to another port. Please start Earmark again.')
  }
}

export const temporal = async (session: Session): Promise<{ address: string; uiUrl: string | undefined }> => {
  const { settings, installation, say } = session
  if (settings.TEMPORAL_ADDRESS)
    return { address: settings.TEMPORAL_ADDRESS, uiUrl: settings.TEMPORAL_UI_URL }
  const cli = await findTemporalCli(say)
  const server = await startTemporal({
    cliPath: cli.path,
    installation,
    port: await rememberedPort(session, 'temporal'),
    uiPort: await rememberedPort(session, 'temporal-ui'),
    say,
    onStart: (stop) => session.stopLater('temporal', stop),
  })
  say(`Temporal: up, from ${cli.from} (${cli.path}).`)
  return server
}

export type Speech = { baseUrl: string; model: string; concurrency: number }

/** Speech to text on this machine; undefined, and said, where no model can be had. */
export const speech = async (session: Session): Promise<Speech | undefined> => {
  const { settings, installation, say } = session
  if (settings.hasOwnTranscription) return undefined
  const model = await resolveModel({
    model: settings.SPEECH_MODEL,
    cacheFolder: cacheFolder(),
    modelsFolder: settings.EARMARK_MODELS,
    onProgress: progressLine(`Speech model ${settings.SPEECH_MODEL}`, say),
  }).catch((error: unknown) => {
    if (error instanceof NoSpeechModelError) say(`Speech: ${error.message}`)
    else throw error
  })
  if (!model) return undefined

  const port = await rememberedPort(session, 'speech')
  const server = keepRunning(
    {
      name: 'speech',
      command: process.execPath,
      args: [path.join(repositoryRoot, 'speech', 'src', 'main.ts')],
      env: { ...process.env, HOST: '127.0.0.1', PORT: String(port), SPEECH_MODEL: model.path },
    },
    installation,
    say,
  )
  session.stopLater('speech', server.stop)
  if (!(await answers(`http://127.0.0.1:${port}/health`))) {
    await server.stop()
    say(
      `Speech: the server does not start. The end of its log:\n${lastLines(installation.logFile('speech'), 5)}`,
    )
    return undefined
  }
  say(
    `Speech: Whisper, model '${model.name}' (${model.path})${model.insteadBecause ? `: ${model.insteadBecause}` : ''}.`,
  )
  return { baseUrl: `http://127.0.0.1:${port}/v1`, model: model.name, concurrency: settings.SPEECH_SLOTS }
}

/** The vendors' protocols, pretended by a process of this machine. Its webhooks go to `backendPort`. */
export const sandbox = async (session: Session, backendPort: number): Promise<SandboxPlace> => {
  const { installation, say } = session
  const port = await rememberedPort(session, 'sandbox')
  const smtpPort = await rememberedPort(session, 'sandbox-smtp')
  const webhookSecret = `whsec_${installation.secret('stripe-webhook')}`
  const server = keepRunning(
    {
      name: 'sandbox',
      command: process.execPath,
      args: [path.join(repositoryRoot, 'sandbox', 'src', 'main.ts')],
      env: {
        ...process.env,
        HOST: '127.0.0.1',
        SANDBOX_PORT: String(port),
        SANDBOX_DATA: path.join(installation.folder, 'sandbox'),
        SANDBOX_SMTP_PORT: String(smtpPort),
        STRIPE_WEBHOOK_URL: `http://127.0.0.1:${backendPort}/v1/payments/webhook`,
        STRIPE_WEBHOOK_SECRET: webhookSecret,
      },
    },
    installation,
    say,
  )
  session.stopLater('sandbox', server.stop)
  const deadline = Date.now() + startTimeoutSeconds * 1000
  while (!(await isListening(port))) {
    if (Date.now() > deadline) {
      const end = lastLines(installation.logFile('sandbox'), 10)
      throw new Error(`The sandbox does not start. The end of its log:\n${end}`)
    }
    await sleep(100)
  }
  return { origin: `http://127.0.0.1:${port}`, smtpUrl: `smtp://127.0.0.1:${smtpPort}`, webhookSecret }
}

/** True once the address answers 200; false where it does not in time. */
export const answers = async (url: string, timeoutSeconds = startTimeoutSeconds): Promise<boolean> => {
  const deadline = Date.now() + timeoutSeconds * 1000
  while (Date.now() < deadline) {
    const response = await fetch(url, { signal: AbortSignal.timeout(5000) }).catch(() => undefined)
    await response?.body?.cancel()
    if (response?.status === 200) return true
    await sleep(150)
  }
  return false
}
