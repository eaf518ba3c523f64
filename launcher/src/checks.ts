import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { repositoryRoot } from './installation.ts'
import { findOnPath } from './programs.ts'

export type StepResult = {
  name: string
  outcome: 'passed' | 'failed' | 'skipped'
  seconds: number
  output: string
}

type Check = { name: string; command: string[]; skip?: string }

const packages = [
  'contracts',
  'workflows',
  'backend',
  'frontend',
  'stories',
  'speech',
  'sandbox',
  'launcher',
  'tests',
  'scripts',
]

/** Every static check. Those that need a tool which this machine lacks are skipped, with the reason. */
const staticChecks = (): Check[] => [
  // The compiler keeps a core busy by itself: one package after the other, from what it remembers.
  { name: 'types', command: ['sh', '-c', packages.map((name) => `tsc -p ${name}`).join(' && ')] },
  { name: 'lint', command: ['eslint', '--cache', '--cache-location', 'node_modules/.cache/eslint/', '.'] },
  { name: 'format', command: ['prettier', '--check', '--log-level', 'warn', '--cache', '.'] },
  { name: 'boundaries', command: ['depcruise', '--output-type', 'err', ...packages] },
  { name: 'dead code', command: ['knip'] },
  commitMessages(),
  compose(),
]

/** Conventional Commits: of what is not on the remote yet, or the last one of a clone that has no other. */
const commitMessages = (): Check => {
  const name = 'commit messages'
  const git = (...args: string[]) => spawnSync('git', args, { cwd: repositoryRoot, encoding: 'utf8' })
  if (git('rev-parse', 'HEAD').status !== 0) return { name, command: [], skip: 'this is no git checkout' }
  const upstream = git('rev-parse', '--abbrev-ref', '@{upstream}')
  const range = upstream.status === 0 ? ['--from', upstream.stdout.trim()] : ['--last']
  return { name, command: ['commitlint', ...range] }
}

const compose = (): Check => {
  const name = 'docker-compose.yml'
  const program = findOnPath(['docker-compose'])
  if (program === undefined) return { name, command: [], skip: 'docker-compose is not installed' }
  // What has no default, on purpose.
  const needed = ['POSTGRES_PASSWORD=checked', `SECRET_KEY=${'checked'.repeat(5)}`]
  return { name, command: ['env', ...needed, program, 'config', '--quiet'] }
}

/** Runs all of them, two at a time, and tells each as it ends. */
export const runChecks = async (say: (line: string) => void): Promise<StepResult[]> => {
  const waiting = staticChecks()
  const results: StepResult[] = []
  const runNext = async (): Promise<void> => {
    const check = waiting.shift()
    if (!check) return
    const result = await runCheck(check)
    results.push(result)
    say(
      `${result.outcome.padEnd(7)} ${result.name} (${result.seconds.toFixed(1)} s)${check.skip ? `: ${check.skip}` : ''}`,
    )
    if (result.outcome === 'failed') say(result.output)
    await runNext()
  }
  await Promise.all([runNext(), runNext()])
  return results
}

const runCheck = async ({ name, command, skip }: Check): Promise<StepResult> => {
  if (skip !== undefined) return { name, outcome: 'skipped', seconds: 0, output: '' }
  const startedAt = performance.now()
  const [program = '', ...args] = command
  const own = path.join(repositoryRoot, 'node_modules', '.bin', program)
  const child = spawn(existsSync(own) ? own : program, args, {
    cwd: repositoryRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (output += part.toString()))
  const code = await new Promise<number | null>((resolve) => {
    child.on('close', resolve)
    child.on('error', (error) => {
      output += error.message
      resolve(1)
    })
  })
  return {
    name,
    outcome: code === 0 ? 'passed' : 'failed',
    seconds: (performance.now() - startedAt) / 1000,
    output,
  }
}
