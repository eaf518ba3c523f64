/** `npm run event-store`: the operator's commands on where the ledger's events are kept. */
import { runOperatorCommand } from './operator-command.ts'

await runOperatorCommand('event-store-cli')
