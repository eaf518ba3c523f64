import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { identityOf, isRunning, type ProcessIdentity } from '../../scripts/process-lock.mjs'
import type { Installation } from './installation.ts'

export type Program = {
  name: string
  command: string
  args: string[]
  cwd?: string
  env: NodeJS.ProcessEnv
}

export type ManagedProcess = {
  name: string
  /** Ends it with SIGTERM, and by force after the grace. */
  stop: (graceSeconds?: number) => Promise<void>
  /** Ends it and lets it be started again, as when its code has changed. */
  restart: () => void
}

type Say = (line: string) => void

const firstDelaySeconds = 0.5
const longestDelaySeconds = 30
const healthyAfterSeconds = 60

/**
 * Keeps a program running: one that dies is started again, later each time. Its process is written down, so that
 * the next launcher can stop what one that was killed has left. It has a process group of its own: Ctrl-C reaches
 * the launcher alone, which then stops its parts in order.
 */
export const keepRunning = (program: Program, installation: Installation, say: Say): ManagedProcess => {
  const record = `process-${program.name}`
  let isStopping = false
  let delaySeconds = firstDelaySeconds
  let child: ChildProcess = start()
  let isWanted = false

  function start(): ChildProcess {
    const log = openSync(installation.logFile(program.name), 'a')
    const startedAt = Date.now()
    const started = spawn(program.command, program.args, {
      cwd: program.cwd,
      env: program.env,
      stdio: ['ignore', log, log],
      detached: true,
    })
    closeSync(log)
    if (started.pid !== undefined) installation.write(record, identityOf(started.pid))
    started.on('error', (error) => say(`${program.name} could not be started: ${error.message}`))
    started.on('close', (code, signal) => {
      if (!isStopping) void startAgain(startedAt, signal ?? `code ${code ?? '?'}`)
    })
    return started
  }

  async function startAgain(startedAt: number, how: string) {
    if (isWanted || Date.now() - startedAt > healthyAfterSeconds * 1000) delaySeconds = firstDelaySeconds
    if (!isWanted) {
      say(`${program.name} ended (${how}); starting it again. Its log: ${installation.logFile(program.name)}`)
      await sleep(delaySeconds * 1000)
      delaySeconds = Math.min(delaySeconds * 2, longestDelaySeconds)
    }
    isWanted = false
    if (!isStopping) child = start()
  }

  return {
    name: program.name,
    restart: () => {
      isWanted = true
      child.kill('SIGTERM')
    },
    stop: async (graceSeconds = 10) => {
      isStopping = true
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
        await endProcess(identityOf(child.pid), graceSeconds)
      }
      installation.write(record, null)
    },
  }
}

/** Stops what an earlier launcher of this installation has left running, in no order: it was killed. */
export const stopOrphans = async (names: readonly string[], installation: Installation, say: Say) => {
  await Promise.all(
    names.map(async (name) => {
      const record = installation.read(`process-${name}`) as ProcessIdentity | null | undefined
      if (!record || !isRunning(record)) return
      say(`Stopping ${name} (process ${record.pid}), left by an earlier start.`)
      await endProcess(record, 5)
    }),
  )
}

const endProcess = async (identity: ProcessIdentity, graceSeconds: number) => {
  signal(identity.pid, 'SIGTERM')
  if (await hasEnded(identity, graceSeconds)) return
  signal(-identity.pid, 'SIGKILL')
  await hasEnded(identity, 5)
}

/** Waits until a process is gone. */
export const hasEnded = async (identity: ProcessIdentity, seconds: number): Promise<boolean> => {
  const deadline = Date.now() + seconds * 1000
  while (isRunning(identity)) {
    if (Date.now() > deadline) return false
    await sleep(50)
  }
  return true
}

/** Sends a signal to a process, or to a group where the id is negative; one that is gone is no matter. */
export const signal = (pid: number, name: NodeJS.Signals) => {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** The end of a log, for a person who wants to know why a part does not come up. */
export const lastLines = (file: string, count: number): string =>
  existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n') : ''
