/** `npm run doctor`: the settings of the environment and `.env`, held against the vendors that they name. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { buildIfChanged } from './build.ts'
import { dataFolder, loadEnvFile, openInstallation, repositoryRoot } from './installation.ts'
import { readSettings, type Settings } from './settings.ts'

const leave = (error: unknown): never => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
}

/** The checks of what is the user's own, and for the rest who stands in. */
const plan = (settings: Settings) => {
  const { sandbox, hasOwnTranscription, DATABASE_URL, TEMPORAL_ADDRESS, PODCAST_DIRECTORIES } = settings
  const parts: [check: string, standIn: string | undefined][] = [
    ['database', DATABASE_URL ? undefined : 'npm start runs a PostgreSQL of its own'],
    ['workflows', TEMPORAL_ADDRESS ? undefined : 'npm start runs a Temporal of its own'],
    ['speech to text', hasOwnTranscription ? undefined : 'npm start runs Whisper on this machine'],
    ['summaries', sandbox.summaries ? 'the sandbox stands in' : undefined],
    ['cards', sandbox.cards ? 'the sandbox stands in: no money moves' : undefined],
    ['mail', sandbox.mail ? 'the sandbox’s mailbox stands in' : undefined],
    ['podcast index', sandbox.directory ? 'the sandbox’s sample shows stand in' : undefined],
    ['itunes', PODCAST_DIRECTORIES.includes('itunes') ? undefined : 'PODCAST_DIRECTORIES does not name it'],
    ['bot challenge', undefined],
  ]
  return parts
}

/** For what is not checked: the backend's settings are complete or not at all. */
const standIns = (settings: Settings) => ({
  SECRET_KEY: '-'.repeat(32),
  ...(!settings.DATABASE_URL && { DATABASE_URL: 'postgres://localhost/none' }),
  ...(!settings.hasOwnTranscription && { TRANSCRIPTION_BASE_URL: 'http://localhost/v1' }),
  ...(settings.sandbox.directory && { PODCASTINDEX_KEY: 'none', PODCASTINDEX_SECRET: 'none' }),
})

loadEnvFile()
try {
  const settings = readSettings(process.env)
  const installation = openInstallation(dataFolder())
  await buildIfChanged('backend', { installation, say: console.log })

  const parts = plan(settings)
  for (const [check, standIn] of parts)
    if (standIn !== undefined) console.log(`- ${check.padEnd(16)}${standIn}`)
  const set = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value))
  const wanted = parts.filter(([, standIn]) => standIn === undefined).map(([check]) => check)
  const { status } = spawnSync(
    process.execPath,
    [path.join(repositoryRoot, 'backend', 'dist', 'doctor.mjs'), ...wanted],
    { env: { ...standIns(settings), ...set }, stdio: 'inherit' },
  )
  process.exit(status ?? 1)
} catch (error) {
  leave(error)
}
