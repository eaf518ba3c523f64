import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isRunning } from '../../scripts/process-lock.mjs'
import { startPostgres, type Postgres } from './postgres.ts'

let dataDir: string
let running: Postgres | undefined

// A folder of mode 0700, as mktemp makes it: as root, the database's user cannot go there.
beforeEach(() => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'earmark-postgres-'))
})

afterEach(async () => {
  await running?.stop()
  if (running) rmSync(running.clusterFolder, { recursive: true, force: true })
  rmSync(dataDir, { recursive: true, force: true })
  running = undefined
})

const start = async (folder = dataDir) => (running = await startPostgres({ dataDir: folder }))

const query = async (text: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: running?.url })
  await client.connect()
  try {
    const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' })
    return rows.flat()
  } finally {
    await client.end()
  }
}

const kill = async ({ process: identity }: Postgres) => {
  process.kill(identity.pid, 'SIGKILL')
  while (isRunning(identity)) await new Promise(setImmediate)
}

describe('the database of an installation', () => {
  it('listens on loopback alone, syncs to disk, and wants a password that is this installation’s own', async () => {
    const { url, clusterFolder } = await start()
    expect(await query('show listen_addresses')).toEqual(['127.0.0.1'])
    expect(await query('show unix_socket_directories')).toEqual([''])
    expect(await query('show fsync')).toEqual(['on'])
    expect(new URL(url).password).toMatch(/^[\w-]{32}$/)
    expect(statSync(path.join(dataDir, 'postgres', 'cluster.json')).mode & 0o077).toBe(0)
    expect(statSync(clusterFolder).mode & 0o077).toBe(0)

    const wrong = new URL(url)
    wrong.password = 'postgres'
    await expect(new pg.Client({ connectionString: wrong.href }).connect()).rejects.toThrow(/password/)
  })

  it('keeps its data and its password over a stop and a start', async () => {
    const first = await start()
    await query('create table kept as select 42 as answer')
    await first.stop()
    expect(isRunning(first.process)).toBe(false)
    const second = await start()
    expect(new URL(second.url).password).toBe(new URL(first.url).password)
    expect(await query('select answer from kept')).toEqual([42])
  })

  it('is adopted when the launcher that started it was killed', async () => {
    const code = `const { startPostgres } = await import(${JSON.stringify(new URL('postgres.ts', import.meta.url).href)}); const { process: { pid } } = await startPostgres({ dataDir: ${JSON.stringify(dataDir)} }); console.log(pid); setInterval(() => {}, 1000)`
    const launcher = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const pid = Number(await once(launcher.stdout, 'data'))
    launcher.kill('SIGKILL')
    await once(launcher, 'exit')

    const adopted = await start()
    expect(adopted.wasAdopted).toBe(true)
    expect(adopted.process.pid).toBe(pid)
    await adopted.stop()
    expect(isRunning(adopted.process)).toBe(false)
  })

  it('starts again with what was committed after it was killed', async () => {
    const first = await start()
    await query('create table kept as select 42 as answer')
    await kill(first)
    const second = await start()
    expect(second.wasAdopted).toBe(false)
    expect(await query('select answer from kept')).toEqual([42])
  })

  it('starts where its stale pid file names a process id that another program has now', async () => {
    const first = await start()
    const file = path.join(first.clusterFolder, 'postmaster.pid')
    const stale = readFileSync(file, 'utf8')
    await first.stop()
    const other = spawn('sleep', ['600'], { stdio: 'ignore' })
    writeFileSync(file, stale.replace(/^\d+/, String(other.pid)))
    try {
      expect((await start()).wasAdopted).toBe(false)
      expect(other.exitCode ?? other.signalCode).toBeNull()
    } finally {
      other.kill()
    }
  })

  it('takes another port where its own is in use', async () => {
    const first = await start()
    const elsewhere = path.join(dataDir, 'second')
    mkdirSync(elsewhere)
    const port = Number(new URL(first.url).port)
    const second = await startPostgres({ dataDir: elsewhere, port })
    try {
      expect(Number(new URL(second.url).port)).not.toBe(port)
    } finally {
      await second.stop()
      rmSync(second.clusterFolder, { recursive: true, force: true })
    }
  })

  it.runIf(process.getuid?.() === 0)(
    'runs as another user than root, with its data where that user can go',
    async () => {
      const hidden = await start()
      expect(statSync(hidden.clusterFolder).uid).not.toBe(0)
      expect(hidden.clusterFolder).not.toContain(dataDir)
      await hidden.stop()
      rmSync(hidden.clusterFolder, { recursive: true })

      const open = path.join(dataDir, 'open')
      mkdirSync(open)
      chmodSync(dataDir, 0o755)
      const visible = await start(open)
      expect(visible.clusterFolder).toBe(path.join(open, 'postgres', 'data'))
    },
  )
})
