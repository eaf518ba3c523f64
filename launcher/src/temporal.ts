import { execFile } from 'node:child_process'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Installation } from './installation.ts'
import { keepRunning, lastLines, type ManagedProcess } from './processes.ts'

export type TemporalOptions = {
  cliPath: string
  installation: Installation
  port: number
  uiPort: number
  say: (line: string) => void
  /** Told how to stop it as soon as there is something to stop. */
  onStart?: (stop: ManagedProcess['stop']) => void
}

export type Temporal = { address: string; uiUrl: string; stop: () => Promise<void> }

const startTimeoutSeconds = 60

/** By these an operator finds a user's or an episode's jobs. */
export const searchAttributes = ['userId=Keyword', 'episodeId=Keyword']

/** Temporal's development server with its UI, which keeps everything in one file of the data folder. */
export const startTemporal = async (options: TemporalOptions): Promise<Temporal> => {
  const { cliPath, installation, port, uiPort, say } = options
  const address = `127.0.0.1:${port}`
  const file = path.join(installation.folder, 'temporal.db')
  const env = withoutTemporalSettings()
  const server = keepRunning(
    {
      name: 'temporal',
      command: cliPath,
      args: [
        ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--ui-port', String(uiPort)],
        ...['--db-filename', file, '--log-level', 'error'],
        ...searchAttributes.flatMap((attribute) => ['--search-attribute', attribute]),
      ],
      env,
    },
    installation,
    say,
  )
  options.onStart?.(server.stop)
  await waitUntilReady(cliPath, address, env).catch(async (error: unknown) => {
    await server.stop()
    throw new Error(
      `Temporal does not start. The end of its log:\n${lastLines(installation.logFile('temporal'), 10)}`,
      {
        cause: error,
      },
    )
  })
  return { address, uiUrl: `http://127.0.0.1:${uiPort}`, stop: () => server.stop() }
}

/** Ready is when a search attribute of ours is known: it is registered last, after the namespace. */
const waitUntilReady = async (cliPath: string, address: string, env: NodeJS.ProcessEnv) => {
  const deadline = Date.now() + startTimeoutSeconds * 1000
  const args = [
    'operator',
    'search-attribute',
    'list',
    '--address',
    address,
    '--client-connect-timeout',
    '2s',
  ]
  for (;;) {
    try {
      const { stdout } = await promisify(execFile)(cliPath, args, { env, timeout: 5000 })
      if (stdout.includes('episodeId')) return
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
    if (Date.now() > deadline) throw new Error('its search attributes are not registered')
    await sleep(200)
  }
}

// What the user has set for a Temporal of theirs must not lead this one astray.
const withoutTemporalSettings = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TEMPORAL_')))
