/** `npm run credits`: the operator's commands on accounts. */
import { runOperatorCommand } from './operator-command.ts'

await runOperatorCommand('credits-cli')
