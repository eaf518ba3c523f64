/** `npm run projections`: whether the tables that are made of events are up to date and right, and how to make them anew. */
import { runOperatorCommand } from './operator-command.ts'

await runOperatorCommand('projections-cli')
