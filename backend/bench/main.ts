import { closeSync, fdatasyncSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { migrate, migrationsFolder } from '../src/platform/postgres/migrate.ts'
import { createPool } from '../src/platform/postgres/postgres.module.ts'
import { median } from './measure.ts'
import { logger, productConfig } from './ours.ts'
import { notMeasured, type Row, toTable } from './report.ts'
import { hot, single, uniform } from './scenarios/charges.ts'
import { history } from './scenarios/history.ts'
import { http, reads } from './scenarios/reads.ts'
import { catchUp, memory, replicas } from './scenarios/whole-processes.ts'

/** By the word that their rows begin with. */
const scenarios: Record<string, (url: string) => Promise<Row[]>> = {
  uniform,
  hot,
  single,
  reads,
  http,
  history,
  'catch-up': catchUp,
  replicas,
  memory,
}

const { BENCH_DATABASE_URL: serverUrl = '', BENCH_FOLDER: folder = '' } = process.env

async function main() {
  const { values } = parseArgs({ options: { json: { type: 'string' }, only: { type: 'string' } } })
  const chosen = Object.entries(scenarios).filter(
    ([name]) => values.only === undefined || isNamed(values.only, name),
  )
  if (chosen.length === 0) {
    throw new Error(`There is no row "${values.only ?? ''}". There are: ${Object.keys(scenarios).join(', ')}`)
  }

  const machine = await describeMachine()
  for (const [name, value] of Object.entries(machine)) console.log(`${name.padEnd(20)} ${value}`)
  const rows: Row[] = []
  for (const [name, measure] of chosen) rows.push(...(await measured(name, measure)))
  if (chosen.length > 1) console.log(`\n${toTable(rows)}`)
  if (values.json !== undefined)
    writeFileSync(path.resolve(values.json), JSON.stringify({ machine, rows }, null, 2))
}

/** `hot` names the scenario, and so does `hot: pgledger`, one of its rows. */
function isNamed(wanted: string, name: string): boolean {
  return wanted.split(':')[0]?.trim() === name
}

/** In a database of its own. What cannot be measured here is a row that says so. */
async function measured(name: string, measure: (url: string) => Promise<Row[]>): Promise<Row[]> {
  const startedAt = performance.now()
  const database = `bench_${name.replaceAll('-', '_')}`
  await onServer(`create database ${database}`)
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  try {
    const pool = createPool(productConfig(url.href), logger)
    await migrate(pool, migrationsFolder, logger)
    await pool.end()
    const rows = await measure(url.href)
    const seconds = (performance.now() - startedAt) / 1000
    console.log(`\n${toTable(rows)}\n(${seconds.toFixed(0)} s)`)
    return rows
  } catch (error) {
    console.error(error instanceof Error ? error.stack : error)
    return [notMeasured(name, error instanceof Error ? error.message : String(error))]
  } finally {
    await onServer(`drop database ${database} with (force)`)
  }
}

async function describeMachine(): Promise<Record<string, string>> {
  const settings = ['server_version', 'fsync', 'synchronous_commit', 'full_page_writes', 'wal_sync_method']
  const shown = await Promise.all(
    settings.map(async (name) => [name, await onServer(`show ${name}`)] as const),
  )
  const values = Object.fromEntries(shown)
  if (values.fsync !== 'on' || values.synchronous_commit !== 'on')
    throw new Error('The database does not wait for the disk')
  return {
    processors: `${os.availableParallelism()} x ${os.cpus()[0]?.model.trim() ?? 'unknown'}`,
    'load average': os
      .loadavg()
      .map((load) => load.toFixed(1))
      .join(' '),
    fdatasync: `${fdatasyncMs().toFixed(2)} ms (median, 8 KiB)`,
    postgres: `${values.server_version ?? ''} (fsync on, ${values.wal_sync_method ?? ''}, full_page_writes ${values.full_page_writes ?? ''})`,
    node: process.version,
    pg: versionOf('pg'),
    emmett: versionOf('@event-driven-io/emmett-postgresql'),
  }
}

/** What the disk takes for the least that a commit needs. */
function fdatasyncMs(): number {
  const file = path.join(folder, 'fdatasync')
  const page = Buffer.alloc(8192, 1)
  const descriptor = openSync(file, 'w')
  const times = Array.from({ length: 200 }, () => {
    const begun = performance.now()
    writeSync(descriptor, page)
    fdatasyncSync(descriptor)
    return performance.now() - begun
  })
  closeSync(descriptor)
  rmSync(file)
  return median(times)
}

function versionOf(name: string): string {
  const entry = createRequire(import.meta.url).resolve(name)
  const root = entry.slice(0, entry.lastIndexOf(path.join('node_modules', name)))
  const manifest = path.join(root, 'node_modules', name, 'package.json')
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}

/** The first value of a statement's answer. */
async function onServer(sql: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    const { rows } = await client.query<string[]>({ text: sql, rowMode: 'array' })
    return rows[0]?.[0] ?? ''
  } finally {
    await client.end()
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  },
)
