import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { identityOf, isRunning, type ProcessIdentity } from '../../scripts/process-lock.mjs'
import { openInstallation, type Installation } from './installation.ts'
import { keepRunning, stopOrphans, type ManagedProcess } from './processes.ts'

let installation: Installation
let managed: ManagedProcess | undefined
const said: string[] = []
const say = (line: string) => void said.push(line)

beforeEach(() => {
  installation = openInstallation(mkdtempSync(path.join(os.tmpdir(), 'earmark-processes-')))
  said.length = 0
})

afterEach(async () => {
  await managed?.stop(0)
  managed = undefined
  rmSync(installation.folder, { recursive: true })
})

const run = (code: string) => {
  managed = keepRunning(
    { name: 'part', command: process.execPath, args: ['-e', code], env: process.env },
    installation,
    say,
  )
  return managed
}

const recorded = () => installation.read('process-part') as ProcessIdentity
const waits = 'console.log("up"); setInterval(() => {}, 1000)'
const isUp = (times: number) =>
  vi.waitFor(
    () => expect(readFileSync(installation.logFile('part'), 'utf8').match(/up/g)).toHaveLength(times),
    10_000,
  )

it('starts a program again when it dies, and says so', async () => {
  run(waits)
  await isUp(1)
  const first = recorded()
  process.kill(first.pid, 'SIGKILL')
  await isUp(2)
  expect(recorded().pid).not.toBe(first.pid)
  expect(said).toEqual([expect.stringContaining('part ended (SIGKILL); starting it again')])
})

it('does not start a program again that was stopped', async () => {
  const part = run(waits)
  await isUp(1)
  const identity = recorded()
  await part.stop()
  expect(isRunning(identity)).toBe(false)
  expect(recorded()).toBeNull()
  expect(said).toEqual([])
})

it('ends a program by force that does not heed SIGTERM', async () => {
  const part = run(`process.on('SIGTERM', () => {}); ${waits}`)
  await isUp(1)
  const identity = recorded()
  await part.stop(0.2)
  expect(isRunning(identity)).toBe(false)
})

it('starts a program at once and in silence when it is told to restart', async () => {
  const part = run(waits)
  await isUp(1)
  part.restart()
  await isUp(2)
  expect(said).toEqual([])
})

it('says that a program cannot be started', async () => {
  managed = keepRunning({ name: 'part', command: '/nowhere', args: [], env: {} }, installation, say)
  await vi.waitFor(() => expect(said[0]).toMatch(/part could not be started: .*ENOENT/))
})

it('stops what an earlier launcher has left, and nothing else', async () => {
  const part = run(waits)
  await isUp(1)
  const left = recorded()
  await stopOrphans(['part'], installation, say)
  expect(isRunning(left)).toBe(false)
  await part.stop()

  // The same id, another process: ids are used again.
  const other = spawn('sleep', ['600'], { stdio: 'ignore' })
  installation.write('process-part', { pid: other.pid, startedAt: 'long ago' })
  await stopOrphans(['part', 'never-started'], installation, say)
  expect(isRunning(identityOf(other.pid ?? 0))).toBe(true)
  other.kill()
})
