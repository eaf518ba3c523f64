import { ConfigError } from './config/config.ts'
import { isUnreachable } from './unreachable.ts'

/** What was typed cannot be done; the message says what can. */
export class UsageError extends Error {}

/** Runs an operator's command and ends the process: with 0 where `main` answers that all is right, else with 1. */
export function runCommand(main: () => Promise<boolean>): void {
  main().then((isRight) => {
    // Where it is a pipe, what was said may still be on its way.
    process.stdout.write('', () => process.exit(isRight ? 0 : 1))
  }, endBadly)
}

/** Ends the process with 1. What an operator can mend is said without a stack. */
export function endBadly(error: unknown): never {
  console.error(error instanceof Error && isForOperators(error) ? error.message : error)
  process.exit(1)
}

function isForOperators(error: Error): boolean {
  if (error instanceof UsageError || error instanceof ConfigError || isUnreachable(error)) return true
  return 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}
