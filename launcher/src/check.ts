/** `npm run check`: every static check. */
import { runChecks } from './checks.ts'

const results = await runChecks((line) => {
  console.log(line)
})
process.exit(results.some(({ outcome }) => outcome === 'failed') ? 1 : 0)
