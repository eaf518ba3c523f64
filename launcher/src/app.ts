/** The product itself: the backend, which serves the API and the screens, and the worker. */
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { repositoryRoot } from './installation.ts'
import { isPortFree, nextFreePort } from './ports.ts'
import { keepRunning, lastLines, type ManagedProcess } from './processes.ts'
import type { Session } from './session.ts'

const defaultPort = 4800
const readyTimeoutSeconds = 120
// The worker finishes or hands back its activities first.
const graceSeconds = 35

/** The port of the app: what PORT says, or the one of the last time, or the first free one from 4800 on. */
export const appPort = async ({ settings, installation, say }: Session): Promise<number> => {
  const { PORT: chosen, HOST: host } = settings
  if (chosen !== undefined) {
    if (await isPortFree(chosen, host)) return chosen
    throw new Error(`Port ${chosen} is in use by another program. Set PORT to a free one.`)
  }
  const wanted = (installation.read('port-app') as number | undefined) ?? defaultPort
  const port = await nextFreePort(wanted, host)
  if (port !== wanted)
    say(`Port ${wanted} is in use by another program: taking ${port}. Set PORT to choose one.`)
  installation.write('port-app', port)
  return port
}

export const publicUrlOf = ({ settings }: Session, port: number): string =>
  settings.PUBLIC_URL ?? `http://localhost:${port}`

/** Starts both from their bundles, and writes their settings down for the operator's commands. */
export const startApp = (session: Session, env: NodeJS.ProcessEnv): ManagedProcess[] => {
  const { installation, say, stopLater } = session
  // Without what is the user's own: a file is no place for that.
  const ours = Object.entries(env).filter(([name, value]) => process.env[name] !== value)
  installation.write('backend-environment', Object.fromEntries(ours))
  return (['backend', 'worker'] as const).map((name) => {
    const script = path.join(
      repositoryRoot,
      'backend',
      'dist',
      name === 'backend' ? 'main.mjs' : 'worker.mjs',
    )
    const args = ['--enable-source-maps', script]
    const started = keepRunning(
      { name, command: process.execPath, args, env, cwd: repositoryRoot },
      installation,
      say,
    )
    stopLater('app', (seconds) => started.stop(seconds ?? graceSeconds))
    return started
  })
}

/** Waits until every part can be used; throws with what the backend says of it where that takes too long. */
export const untilReady = async ({ installation, isStopping }: Session, port: number): Promise<void> => {
  const url = `http://127.0.0.1:${port}/v1/health/ready`
  const deadline = Date.now() + readyTimeoutSeconds * 1000
  let answer = 'no answer'
  while (!isStopping()) {
    const response = await fetch(url, { signal: AbortSignal.timeout(5000) }).catch(() => undefined)
    if (response?.status === 200) return
    if (response) answer = `${response.status} ${await response.text()}`
    if (Date.now() > deadline) {
      const logs = ['backend', 'worker'].map(
        (name) => `${name}:\n${lastLines(installation.logFile(name), 10)}`,
      )
      throw new Error(`The app does not come up: ${url} says ${answer}\n${logs.join('\n')}`)
    }
    await sleep(150)
  }
}
