/** Stripe's own stripe-mock, which holds each request against Stripe's description of its API: for the tests. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { cacheFolder } from '@earmark/speech/model'
import { installWithGo } from './go-install.ts'
import { findOnPath } from './programs.ts'

const version = '0.203.0'
const startTimeoutMs = 20_000

type Say = (line: string) => void

/** From the PATH, the cache, or `go install`; undefined, with the reason said, where there is none to be had. */
const findStripeMock = async (say: Say): Promise<string | undefined> => {
  const onPath = findOnPath(['stripe-mock'])
  if (onPath) return onPath
  const folder = path.join(cacheFolder(), `stripe-mock-${version}`)
  const program = path.join(folder, 'stripe-mock')
  if (existsSync(program)) return program
  try {
    say(`Building stripe-mock ${version} with Go, once for this machine.`)
    await installWithGo(`github.com/stripe/stripe-mock@v${version}`, folder, say)
    return program
  } catch (error) {
    say(`stripe-mock cannot be had: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

export type StripeMock = { url: string; stop: () => Promise<void> }

/** Starts it on a free port; undefined where it cannot be had on this machine. Throws where it does not start. */
export const startStripeMock = async (say: Say): Promise<StripeMock | undefined> => {
  const program = await findStripeMock(say)
  if (program === undefined) return undefined
  // It chooses free ports itself, and says which; HTTPS, which nobody asks for, would take a fixed one on every address.
  const child = spawn(program, ['-http-addr', '127.0.0.1:0', '-https-addr', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })
  let address: string | undefined
  const tooLong = setTimeout(() => child.kill(), startTimeoutMs)
  for await (const line of createInterface(child.stdout)) {
    address = /Listening for HTTP at address: (\S+)/.exec(line)?.[1]
    if (address !== undefined) break
  }
  clearTimeout(tooLong)
  if (address === undefined) throw new Error('stripe-mock does not start')
  // Nobody reads what it says from here on; unread it would wait for a reader one day.
  child.stdout.resume()
  return {
    url: `http://${address}`,
    async stop() {
      child.kill()
      await ended
    },
  }
}
