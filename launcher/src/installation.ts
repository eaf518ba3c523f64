import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { takeLock } from '../../scripts/process-lock.mjs'

export const repositoryRoot = path.resolve(import.meta.dirname, '..', '..')

/** What one checkout keeps between its starts, in its data folder. */
export type Installation = ReturnType<typeof openInstallation>

/** Settings of the checkout's `.env`; what the environment says wins. */
export const loadEnvFile = () => {
  const file = path.join(repositoryRoot, '.env')
  if (existsSync(file)) process.loadEnvFile(file)
}

export const dataFolder = (env: NodeJS.ProcessEnv = process.env): string =>
  path.resolve(repositoryRoot, env.EARMARK_DATA || '.earmark')

export const openInstallation = (folder: string) => {
  // As root the database runs as another user, who must be able to pass through; nobody can list it.
  mkdirSync(path.join(folder, 'logs'), { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  const file = (name: string) => path.join(folder, name)

  return {
    folder,
    logFile: (name: string) => file(path.join('logs', `${name}.log`)),

    /** A secret made at the first start and the same ever after. */
    secret: (name: string): string => {
      const secretFile = file(`${name}.secret`)
      if (!existsSync(secretFile)) writeWhole(secretFile, randomBytes(32).toString('base64url'))
      return readFileSync(secretFile, 'utf8')
    },

    read: (name: string): unknown => readJson(file(`${name}.json`)),
    write: (name: string, value: unknown) => writeWhole(file(`${name}.json`), JSON.stringify(value, null, 2)),

    /** One launcher at a time works on a data folder. */
    lock: () => takeLock(file('launcher.lock')),
  }
}

const readJson = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** Readable by this user alone, and never half there. */
const writeWhole = (file: string, content: string) => {
  writeFileSync(`${file}.new`, content, { mode: 0o600 })
  chmodSync(`${file}.new`, 0o600)
  renameSync(`${file}.new`, file)
}
