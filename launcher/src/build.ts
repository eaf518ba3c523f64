import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { lastLines } from './processes.ts'
import { repositoryRoot } from './installation.ts'
import type { Session } from './session.ts'

/** What each bundle is made from. */
const sources = {
  backend: ['backend', 'contracts', 'workflows'],
  frontend: ['frontend', 'contracts'],
}
const notSources = /(^|\/)(node_modules|dist|\.[^/]+)(\/|$)|\.(spec|stories)\.tsx?$|\.tsbuildinfo$/

export type Bundle = keyof typeof sources

/** Builds a bundle where its sources have changed since the last time. */
export const buildIfChanged = async (
  bundle: Bundle,
  { installation, say }: Pick<Session, 'installation' | 'say'>,
): Promise<void> => {
  const stamp = path.join(repositoryRoot, bundle, 'dist', '.sources')
  const hash = hashOf(sources[bundle])
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return

  say(`Building the ${bundle}.`)
  const log = installation.logFile(`build-${bundle}`)
  const vite = path.join(repositoryRoot, 'node_modules', 'vite', 'bin', 'vite.js')
  const child = spawn(process.execPath, [vite, 'build'], {
    cwd: path.join(repositoryRoot, bundle),
    // Whoever asks, a test run too, gets what users get: the libraries' builds for development are slower and complain.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: 'pipe',
  })
  const output = createWriteStream(log)
  child.stdout.pipe(output, { end: false })
  child.stderr.pipe(output, { end: false })
  const code = await new Promise((resolve) => child.on('close', resolve))
  await new Promise<void>((resolve) => output.end(resolve))
  if (code !== 0)
    throw new Error(`The ${bundle} could not be built. The end of ${log}:\n${lastLines(log, 20)}`)
  writeFileSync(stamp, hash)
}

const hashOf = (folders: readonly string[]): string => {
  const hash = createHash('sha256').update(readFileSync(path.join(repositoryRoot, 'package-lock.json')))
  const exclude = (name: string) => notSources.test(name)
  for (const folder of folders) {
    const files = globSync(`${folder}/**/*.*`, { cwd: repositoryRoot, exclude }).sort()
    for (const file of files) {
      const absolute = path.join(repositoryRoot, file)
      hash.update(`${file}\0`).update(readFileSync(absolute)).update('\0')
    }
  }
  return hash.digest('hex')
}
