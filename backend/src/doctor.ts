import 'reflect-metadata'
import { checks } from './doctor/checks.ts'
import { parseConfig } from './platform/config/config.ts'
import { runCommand } from './platform/run-command.ts'

/**
 * Holds the settings against the vendors and says in words what is wrong. Exits with 1 where something is.
 * Its arguments are the checks that are wanted; without any, all of them.
 */
async function main(): Promise<boolean> {
  const wanted = process.argv.slice(2)
  const chosen = Object.entries(checks).filter(([name]) => wanted.length === 0 || wanted.includes(name))
  const config = parseConfig(process.env)
  const findings = await Promise.all(
    chosen.map(async ([name, check]) => ({ name, ...(await check(config)) })),
  )
  const marks = { ok: '✓', warning: '!', wrong: '✗', unset: '-' }
  for (const { name, verdict, words } of findings) console.log(`${marks[verdict]} ${name.padEnd(16)}${words}`)
  return findings.every(({ verdict }) => verdict !== 'wrong')
}

runCommand(main)
