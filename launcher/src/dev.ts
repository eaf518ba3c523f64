/** `npm run dev`: as `npm start`, with both sides reloading when their code changes. */
import path from 'node:path'
import { build, createServer } from 'vite'
import { appPort, publicUrlOf, startApp, untilReady } from './app.ts'
import { repositoryRoot } from './installation.ts'
import { database, temporal } from './parts.ts'
import { findFreePort } from './ports.ts'
import { runSession, type Session } from './session.ts'
import { backendEnvironment, needsSandbox, refuseOpenSandbox } from './settings.ts'
import { startVendors } from './vendors.ts'
import { sayWhereToLook } from './where-to-look.ts'

await runSession(async (session) => {
  const { settings, installation } = session
  if (needsSandbox(settings)) refuseOpenSandbox(settings)
  const port = await appPort(session)
  const backendPort = await findFreePort()

  const [postgres, workflows, vendors, bundle] = await Promise.all([
    database(session),
    temporal(session),
    startVendors(session, backendPort),
    watchBackend(session),
  ])

  const publicUrl = publicUrlOf(session, port)
  const env = backendEnvironment(process.env, settings, {
    port: backendPort,
    publicUrl,
    dataFolder: installation.folder,
    frontendFolder: undefined,
    secretKey: installation.secret('secret-key'),
    databaseUrl: postgres.url,
    temporalAddress: workflows.address,
    temporalUiUrl: workflows.uiUrl,
    sandbox: vendors.sandbox,
    transcription: vendors.transcription,
  })
  const programs = startApp(session, { ...env, HOST: '127.0.0.1' })
  bundle.onChange(() => programs.forEach((program) => program.restart()))
  await serveFrontend(session, port, backendPort)
  await untilReady(session, backendPort)
  sayWhereToLook(session, {
    publicUrl,
    temporalUiUrl: workflows.uiUrl,
    databaseIsOurs: postgres.isOurs,
    ...vendors,
  })
})

/** Resolves when the backend is built for the first time. */
async function watchBackend({ say, stopLater }: Session) {
  const watcher = await build({
    root: path.join(repositoryRoot, 'backend'),
    logLevel: 'warn',
    build: { watch: {} },
  })
  if (!('on' in watcher)) throw new Error('The backend could not be watched.')
  stopLater('frontend', () => watcher.close())

  let changed: (() => void) | undefined
  await new Promise<void>((resolve) => {
    watcher.on('event', (event) => {
      if (event.code === 'ERROR') say(`The backend could not be built: ${event.error.message}`)
      if (event.code !== 'END') return
      if (changed) say('The backend has changed: starting it again.')
      changed?.()
      resolve()
    })
  })
  return { onChange: (listener: () => void) => (changed = listener) }
}

async function serveFrontend({ settings, stopLater }: Session, port: number, backendPort: number) {
  const server = await createServer({
    root: path.join(repositoryRoot, 'frontend'),
    logLevel: 'warn',
    server: {
      host: settings.HOST,
      port,
      strictPort: true,
      proxy: { '/v1': { target: `http://127.0.0.1:${backendPort}` } },
    },
  })
  await server.listen()
  stopLater('frontend', () => server.close())
}
