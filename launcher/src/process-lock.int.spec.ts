import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { identityOf, isRunning, takeLock } from '../../scripts/process-lock.mjs'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'earmark-lock-'))
  file = path.join(folder, 'lock')
})

afterEach(() => {
  rmSync(folder, { recursive: true })
})

const lockModule = JSON.stringify(new URL('../../scripts/process-lock.mjs', import.meta.url).href)

/** Another process that takes the lock, says so, and keeps it until it is killed. */
const holder = async () => {
  const code = `const { takeLock } = await import(${lockModule}); takeLock(${JSON.stringify(file)}); console.log('taken'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

it('gives the lock to one process at a time, and tells the others which', async () => {
  const other = await holder()
  expect(takeLock(file)).toEqual({ heldBy: other.pid })
  other.kill('SIGKILL')
  await once(other, 'exit')
  expect(takeLock(file)).toHaveProperty('release')
})

it('is free again after its release, and leaves no other file', () => {
  const lock = takeLock(file)
  if ('heldBy' in lock) throw new Error('The lock is held.')
  expect(readdirSync(folder)).toEqual(['lock'])
  lock.release()
  expect(readdirSync(folder)).toEqual([])
})

it('takes a lock whose owner’s process id belongs to another program now', () => {
  writeFileSync(file, JSON.stringify({ pid: process.ppid, startedAt: 'long ago' }))
  expect(takeLock(file)).toHaveProperty('release')
})

it('takes a lock that holds nonsense', () => {
  writeFileSync(file, '{"pid":')
  expect(takeLock(file)).toHaveProperty('release')
})

it('lets one of many that race for a stale lock have it', async () => {
  writeFileSync(file, JSON.stringify({ pid: 1, startedAt: 'long ago' }))
  const code = `const { takeLock } = await import(${lockModule}); console.log('heldBy' in takeLock(${JSON.stringify(file)}) ? 'held' : 'taken'); setInterval(() => {}, 1000)`
  const racers = Array.from({ length: 6 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] }),
  )
  const said = await Promise.all(
    racers.map(async ({ stdout }) => String((await once(stdout, 'data'))[0]).trim()),
  )
  for (const racer of racers) racer.kill('SIGKILL')
  expect(said.filter((word) => word === 'taken')).toHaveLength(1)
})

it('knows a process by its id and its start', () => {
  const self = identityOf(process.pid)
  expect(isRunning(self)).toBe(true)
  expect(isRunning({ ...self, startedAt: 'another time' })).toBe(false)
  expect(isRunning(undefined)).toBe(false)
})
