import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { dataFolder, loadEnvFile, openInstallation, repositoryRoot } from './installation.ts'
import { isListening } from './ports.ts'

const leave = (message: string): never => {
  console.error(message)
  process.exit(1)
}

const startFirst = 'Earmark does not run here. Start it first, with npm start.'

/** Runs a command of the backend's against the installation that runs from this checkout, and ends as it does. */
export const runOperatorCommand = async (name: string): Promise<never> => {
  const cli = path.join(repositoryRoot, 'backend', 'dist', `${name}.mjs`)
  loadEnvFile()
  const folder = dataFolder()
  const recorded = existsSync(folder) ? openInstallation(folder).read('backend-environment') : undefined
  const env = { ...process.env, ...((recorded ?? leave(startFirst)) as NodeJS.ProcessEnv) }
  const { hostname, port } = new URL(env.DATABASE_URL ?? leave(startFirst))
  if (!existsSync(cli) || !(await isListening(Number(port || 5432), hostname))) leave(startFirst)

  const { status } = spawnSync(process.execPath, [cli, ...process.argv.slice(2)], { env, stdio: 'inherit' })
  process.exit(status ?? 1)
}
