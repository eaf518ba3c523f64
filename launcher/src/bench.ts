/** `npm run bench`: the ledger against what could be used in its place, on a PostgreSQL of the run's own. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { build } from 'vite'
import { dataFolder, openInstallation, repositoryRoot } from './installation.ts'
import { startPostgres, type Postgres } from './postgres.ts'

const bench = path.join(repositoryRoot, 'backend', 'bench')
/** The peers take a connection for each client, and some of them are open side by side. */
const maxConnections = 400

/** Where the product's own data lies: a folder for temporary files may be memory, which has no disk to wait for. */
const { folder: parent } = openInstallation(dataFolder())
mkdirSync(parent, { recursive: true })
const folder = mkdtempSync(path.join(parent, 'bench-'))
// As root the database runs as another user, who must be able to pass through.
chmodSync(folder, 0o711)

let postgres: Postgres | undefined
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const)
  process.on(signal, () => stopping.abort())

const run = async () => {
  await build({
    configFile: path.join(bench, 'vite.config.ts'),
    root: bench,
    logLevel: 'warn',
    mode: 'production',
  })
  postgres = await startPostgres({ dataDir: folder })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(`alter system set max_connections = ${maxConnections}`)
  await client.end()
  await postgres.stop()
  postgres = await startPostgres({ dataDir: folder })

  const child = spawn(process.execPath, [path.join(bench, 'dist', 'main.mjs'), ...process.argv.slice(2)], {
    env: { ...process.env, NODE_ENV: 'production', BENCH_DATABASE_URL: postgres.url, BENCH_FOLDER: folder },
    stdio: 'inherit',
  })
  stopping.signal.addEventListener('abort', () => child.kill())
  return new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)))
}

const cleanUp = async () => {
  await postgres?.stop()
  if (postgres) rmSync(postgres.clusterFolder, { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
}

let exitCode = 1
try {
  exitCode = await run()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
} finally {
  await cleanUp()
}
process.exit(exitCode)
