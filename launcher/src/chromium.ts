import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { findOnPath, isExecutable } from './programs.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const macApplications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/**
 * A Chromium for the tests, in this order: CHROMIUM_PATH, one of this machine's, Playwright's own download, Debian's
 * package where we are root on Debian. Throws where there is none.
 */
export const findChromium = (say: (line: string) => void, env: NodeJS.ProcessEnv = process.env): string => {
  if (env.CHROMIUM_PATH) {
    if (isExecutable(env.CHROMIUM_PATH)) return env.CHROMIUM_PATH
    throw new Error(`CHROMIUM_PATH is set to ${env.CHROMIUM_PATH}, which cannot be run.`)
  }
  const present = findOnPath(names, env) ?? macApplications.find(isExecutable)
  if (present) return present

  const downloaded = chromium.executablePath()
  if (isExecutable(downloaded)) return downloaded
  say("Fetching Playwright's Chromium, once for this machine.")
  const cli = path.join(
    path.dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')),
    'cli.js',
  )
  spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: 'inherit' })
  if (isExecutable(downloaded)) return downloaded

  if (process.getuid?.() === 0 && findOnPath(['apt-get'], env)) {
    say("Installing Debian's chromium package.")
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' })
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
      stdio: 'inherit',
    })
    const installed = findOnPath(names, env)
    if (installed) return installed
  }
  throw new Error('No Chromium can be had on this machine. Install one, or set CHROMIUM_PATH to it.')
}
