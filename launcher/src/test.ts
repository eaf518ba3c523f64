/** `npm test`: the static checks, then every test of every package, on real parts. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as z from 'zod'
import { buildIfChanged } from './build.ts'
import { runChecks } from './checks.ts'
import { findChromium } from './chromium.ts'
import { openInstallation, repositoryRoot } from './installation.ts'
import { findTemporalCli } from './temporal-cli.ts'

/** In this order: what breaks first is cheapest to wait for. */
const suites = ['frontend', 'sandbox', 'speech', 'launcher', 'workflows', 'backend', 'stories', 'tests']

const reportSchema = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
  success: z.boolean(),
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
})

const say = (line: string) => {
  console.log(line)
}
const total = { passed: 0, failed: 0, skipped: 0 }
/** Told again at the end: of a long log, the end is what people keep. */
const failures: string[] = []
const folder = mkdtempSync(path.join(tmpdir(), 'earmark-run-'))

const runSuite = async (suite: string, env: NodeJS.ProcessEnv): Promise<void> => {
  const report = path.join(folder, `${suite}.json`)
  const vitest = path.join(repositoryRoot, 'node_modules', 'vitest', 'vitest.mjs')
  const args = ['run', '--root', suite, '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`]
  const startedAt = performance.now()
  const child = spawn(process.execPath, [vitest, ...args], { cwd: repositoryRoot, env, stdio: 'inherit' })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, success, testResults } =
    readReport(report)
  total.passed += numPassedTests
  total.failed += numFailedTests
  total.skipped += numPendingTests + numTodoTests
  // A file that does not load fails no test of its own, and a suite without a test proves nothing.
  if ((code !== 0 || !success || numPassedTests === 0) && numFailedTests === 0) {
    total.failed += 1
    failures.push(`${suite}: exit code ${code} without a failed test: see above`)
  }
  for (const file of testResults) {
    if (file.message !== '') failures.push(`${file.name}\n${file.message}`)
    for (const test of file.assertionResults.filter(({ status }) => status === 'failed'))
      failures.push(`${file.name}\n${test.fullName}\n${(test.failureMessages ?? []).join('\n')}`)
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
  say(
    `${suite}: ${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped (${seconds} s)\n`,
  )
}

const readReport = (file: string) => {
  try {
    return reportSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    failures.push(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
    return {
      numPassedTests: 0,
      numFailedTests: 0,
      numPendingTests: 0,
      numTodoTests: 0,
      success: false,
      testResults: [],
    }
  }
}

const startedAt = performance.now()
try {
  for (const { name, outcome, output } of await runChecks(say)) {
    total[outcome] += 1
    if (outcome === 'failed') failures.push(`${name}\n${output}`)
  }

  const installation = openInstallation(path.join(folder, 'build'))
  await buildIfChanged('backend', { installation, say })
  await buildIfChanged('frontend', { installation, say })
  const temporal = await findTemporalCli(say)
  const env = { ...process.env, CHROMIUM_PATH: findChromium(say), TEMPORAL_CLI: temporal.path }
  for (const suite of suites) await runSuite(suite, env)
} catch (error) {
  total.failed += 1
  failures.push(error instanceof Error ? error.message : String(error))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
for (const failure of failures) say(`FAILED ${failure}\n`)
say(`All of it took ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes.`)
say(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`)
process.exit(total.failed > 0 ? 1 : 0)
