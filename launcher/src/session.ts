/** One run of `npm start` or `npm run dev`: its settings, its data folder, and the orderly end of all it started. */
import { dataFolder, loadEnvFile, openInstallation, type Installation } from './installation.ts'
import { stopOrphans } from './processes.ts'
import { readSettings, type Settings } from './settings.ts'

/** The parts in the order in which they are stopped. */
const stopOrder = ['frontend', 'app', 'speech', 'sandbox', 'temporal', 'postgres'] as const
type PartName = (typeof stopOrder)[number]
type Stop = (graceSeconds?: number) => Promise<void>

const managedProcesses = ['backend', 'worker', 'speech', 'sandbox', 'temporal']

export type Session = {
  settings: Settings
  installation: Installation
  say: (line: string) => void
  /** Has a part stopped when the run ends, in its turn. */
  stopLater: (part: PartName, stop: Stop) => void
  isStopping: () => boolean
}

// npm, the bootstrap and the terminal each pass one Ctrl-C on.
const oneKeyPressMilliseconds = 1000

/** Runs until a signal comes, then stops every part in order. Does not return. */
export const runSession = async (work: (session: Session) => Promise<void>): Promise<never> => {
  const stops = new Map<PartName, Stop[]>()
  let stoppingSince: number | undefined

  const stopAll = async () => {
    for (const part of stopOrder) await Promise.all((stops.get(part) ?? []).map((stop) => stop()))
  }
  const forceAll = () => Promise.all([...stops.values()].flat().map((stop) => stop(0)))

  const end = async (exitCode: number) => {
    if (stoppingSince === undefined) {
      stoppingSince = Date.now()
      say(exitCode === 0 ? '\nStopping. Press Ctrl-C again to force it.' : 'Stopping.')
      await stopAll()
      lock.release()
      process.exit(exitCode)
    } else if (Date.now() - stoppingSince > oneKeyPressMilliseconds) {
      await forceAll()
      lock.release()
      process.exit(1)
    }
  }

  // The terminal may be gone before we are.
  process.stdout.on('error', () => undefined)
  process.stderr.on('error', () => undefined)
  const { installation, lock, settings } = open()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const)
    process.on(name, () => void end(0))

  try {
    await stopOrphans(managedProcesses, installation, say)
    await work({
      settings,
      installation,
      say,
      stopLater: (part, stop) => stops.set(part, [...(stops.get(part) ?? []), stop]),
      isStopping: () => stoppingSince !== undefined,
    })
  } catch (error) {
    if (stoppingSince === undefined) say(error instanceof Error ? error.message : String(error))
    await end(1)
  }
  return new Promise<never>(() => undefined)
}

const say = (line: string) => console.log(line)

const leave = (message: string): never => {
  console.error(message)
  process.exit(1)
}

const open = () => {
  loadEnvFile()
  const folder = dataFolder()
  const installation = openInstallation(folder)
  const lock = installation.lock()
  if ('heldBy' in lock) {
    const app = installation.read('running') as { url?: string } | undefined
    return leave(
      `Earmark runs already from this checkout (process ${lock.heldBy})${app?.url ? `: ${app.url}` : ''}. ` +
        'Stop it first, or set EARMARK_DATA and PORT to run a second one.',
    )
  }
  try {
    return { installation, lock, settings: readSettings(process.env) }
  } catch (error) {
    lock.release()
    return leave(error instanceof Error ? error.message : String(error))
  }
}
