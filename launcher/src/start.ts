/** `npm start`: the whole product on this machine. */
import path from 'node:path'
import { appPort, publicUrlOf, startApp, untilReady } from './app.ts'
import { buildIfChanged } from './build.ts'
import { repositoryRoot } from './installation.ts'
import { database, temporal } from './parts.ts'
import { runSession } from './session.ts'
import { backendEnvironment, needsSandbox, refuseOpenSandbox } from './settings.ts'
import { startVendors } from './vendors.ts'
import { sayWhereToLook } from './where-to-look.ts'

await runSession(async (session) => {
  const { settings, installation } = session
  if (needsSandbox(settings)) refuseOpenSandbox(settings)
  const port = await appPort(session)

  const [postgres, workflows, vendors] = await Promise.all([
    database(session),
    temporal(session),
    startVendors(session, port),
    buildIfChanged('backend', session),
    buildIfChanged('frontend', session),
  ])

  const publicUrl = publicUrlOf(session, port)
  const env = backendEnvironment(process.env, settings, {
    port,
    publicUrl,
    dataFolder: installation.folder,
    frontendFolder: path.join(repositoryRoot, 'frontend', 'dist'),
    secretKey: installation.secret('secret-key'),
    databaseUrl: postgres.url,
    temporalAddress: workflows.address,
    temporalUiUrl: workflows.uiUrl,
    sandbox: vendors.sandbox,
    transcription: vendors.transcription,
  })
  startApp(session, env)
  await untilReady(session, port)
  sayWhereToLook(session, {
    publicUrl,
    temporalUiUrl: workflows.uiUrl,
    databaseIsOurs: postgres.isOurs,
    ...vendors,
  })
})
