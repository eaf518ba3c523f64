import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { dataFolder, loadEnvFile, openInstallation, repositoryRoot } from './installation.ts'
import { startPostgres } from './postgres.ts'

const leave = (message: string): never => {
  console.error(message)
  process.exit(1)
}

const startFirst = 'Earmark has not run here yet. Start it first, with npm start.'

/**
 * Runs a command of the backend's against the installation of this checkout, and ends as it does. The installation's
 * own database is started for it where nothing runs.
 */
export const runOperatorCommand = async (name: string): Promise<never> => {
  const cli = path.join(repositoryRoot, 'backend', 'dist', `${name}.mjs`)
  loadEnvFile()
  const folder = dataFolder()
  const recorded = existsSync(folder) ? openInstallation(folder).read('backend-environment') : undefined
  const env = { ...process.env, ...((recorded ?? leave(startFirst)) as NodeJS.ProcessEnv) }
  if (!existsSync(cli)) leave(startFirst)
  const postgres =
    process.env.DATABASE_URL === undefined ? await startPostgres({ dataDir: folder }) : undefined
  if (postgres) env.DATABASE_URL = postgres.url

  const { status } = spawnSync(process.execPath, [cli, ...process.argv.slice(2)], { env, stdio: 'inherit' })
  if (postgres && !postgres.wasAdopted) await postgres.stop()
  process.exit(status ?? 1)
}
