import { ConfigError } from './config/config.ts'
import { isUnreachable } from './unreachable.ts'

/** What was typed cannot be done; the message says what can. */
export class UsageError extends Error {}

/** Runs an operator's command and ends the process: with 0 where `main` answers that all is right, else with 1. */
export function runCommand(main: () => Promise<boolean>): void {
  main().then((isRight) => exit(isRight ? 0 : 1), endBadly)
}

/** Ends the process with 1. What an operator can mend is said without a stack. */
export function endBadly(error: unknown): void {
  console.error(error instanceof Error && isForOperators(error) ? wordsOf(error) : error)
  exit(1)
}

/** Where it is a pipe, what was said may still be on its way. */
function exit(code: number) {
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
}

/** Where a name has several addresses, each has failed in its own words, and the whole has none. */
function wordsOf(error: Error): string {
  return error instanceof AggregateError ? error.errors.map(String).join('\n') : error.message
}

function isForOperators(error: Error): boolean {
  if (error instanceof UsageError || error instanceof ConfigError || isUnreachable(error)) return true
  return 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}
