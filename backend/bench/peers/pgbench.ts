import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { type Round, turnSeconds } from '../measure.ts'
import { chargeEventData } from './plain-sql.ts'

/** pgbench's own loop over the plain insert: what the server takes where no Node stands before it. */
export async function pgbenchPeer(url: string, { clients, accounts }: { clients: number; accounts: number }) {
  if (spawnSync('pgbench', ['--version']).status !== 0) return undefined
  const folder = await mkdtemp(path.join(tmpdir(), 'earmark-pgbench-'))
  const script = path.join(folder, 'insert.sql')
  // pgbench takes `:name` for a variable.
  const data = chargeEventData().replaceAll('":', '": ')
  await writeFile(
    script,
    `\\set account random(1, ${accounts})
insert into peer_events (stream_id, event_id, data, operation_id) values ('creditAccount-00000000-0000-0000-0000-' || :account, gen_random_uuid(), '${data}', gen_random_uuid()::text);`,
  )
  const args = [
    '-n',
    '-M',
    'prepared',
    '-c',
    String(clients),
    '-j',
    '2',
    '-T',
    String(turnSeconds),
    '-f',
    script,
    url,
  ]
  return {
    turn: async (): Promise<Round> => {
      const { stdout } = await promisify(execFile)('pgbench', args)
      const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
      return { perSecond, p99Ms: Number.NaN }
    },
    close: () => rm(folder, { recursive: true }),
  }
}
