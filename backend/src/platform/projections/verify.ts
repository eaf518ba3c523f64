import type { ClientBase } from 'pg'
import type { EventStore } from '../event-store/event-store.ts'
import type { Pool } from '../postgres/postgres.module.ts'
import type { Projection } from './projection.ts'
import { withoutTimeLimits } from './rebuild.ts'
import { replay } from './replay.ts'

/** So many are named of one table; all are counted. */
const namedPerTable = 100

export type Difference = { table: string; key: Record<string, string> } & (
  | { kind: 'row is missing' | 'row has no event' }
  | { kind: 'value differs'; column: string; is: string | null; shouldBe: string | null }
)

export type Verification = {
  /** The rows were compared with the events up to here. */
  position: number
  rows: number
  differences: Difference[]
  /** May be more than are named. */
  differenceCount: number
}

/**
 * Compares a projection's rows with what its events make of them now. It works in one snapshot of rows and checkpoint,
 * so the product may run; the events are applied by the projection itself, to temporary tables that hide the real ones.
 */
export async function verify(projection: Projection, events: EventStore, pool: Pool): Promise<Verification> {
  const client = await pool.connect()
  try {
    await client.query(`begin isolation level repeatable read; ${withoutTimeLimits}`)
    const { rows } = await client.query<{ position: number; schema: string }>(
      `select coalesce((select position from projection_checkpoints where projection = $1), 0) as position,
              current_schema() as schema`,
      [projection.name],
    )
    const { position, schema } = rows[0] ?? { position: 0, schema: 'public' }
    for (const table of projection.tables)
      await client.query(`create temporary table ${table} (like ${schema}.${table} including all)`)
    await replay(client, projection, events, position)

    const compared: Verification = { position, rows: 0, differences: [], differenceCount: 0 }
    for (const table of projection.tables) {
      const found = await compare(client, schema, table)
      compared.rows += found.rows
      compared.differenceCount += found.differenceCount
      compared.differences.push(...found.differences)
    }
    return compared
  } finally {
    // Never committed, whatever it wrote; and no later statement may meet the temporary tables' names.
    client.release(true)
  }
}

async function compare(client: ClientBase, schema: string, table: string) {
  const real = `${schema}.${table}`
  const columns = await columnsOf(client, real)
  const keys = columns.filter(({ isKey }) => isKey).map(({ name }) => name)
  const values = columns.filter(({ isKey }) => !isKey).map(({ name }) => name)
  const [anyKey = ''] = keys
  await client.query(`analyze pg_temp.${table}`)
  const { rows: found } = await client.query<Found>(
    `select json_build_object(${keys.map((key) => `'${key}', coalesce(kept.${key}, made.${key})::text`).join(', ')}) as key,
            difference.*, (count(*) over ())::int as total
     from ${real} kept
     full join pg_temp.${table} made on ${keys.map((key) => `kept.${key} = made.${key}`).join(' and ')}
     cross join lateral (
       select 'row is missing' as kind, null as column, null as is, null as should_be where kept.${anyKey} is null
       union all
       select 'row has no event', null, null, null where made.${anyKey} is null
       ${values.map((column) => valueDiffers(column, anyKey)).join('')}
     ) difference
     order by ${keys.map((key) => `coalesce(kept.${key}, made.${key})`).join(', ')}
     limit ${namedPerTable}`,
  )
  const { rows: counted } = await client.query<{ rows: number }>(`select count(*) as rows from ${real}`)
  return {
    rows: counted[0]?.rows ?? 0,
    differenceCount: found[0]?.total ?? 0,
    differences: found.map((difference) => toDifference(table, difference)),
  }
}

const valueDiffers = (column: string, anyKey: string) => `
       union all
       select 'value differs', '${column}', kept.${column}::text, made.${column}::text
       where kept.${anyKey} = made.${anyKey} and kept.${column} is distinct from made.${column}`

type Found = {
  key: Record<string, string>
  kind: Difference['kind']
  column: string | null
  is: string | null
  should_be: string | null
  total: number
}

function toDifference(table: string, { key, kind, column, is, should_be: shouldBe }: Found): Difference {
  return kind === 'value differs'
    ? { table, key, kind, column: column ?? '', is, shouldBe }
    : { table, key, kind }
}

async function columnsOf(client: ClientBase, table: string): Promise<{ name: string; isKey: boolean }[]> {
  const { rows } = await client.query<{ name: string; isKey: boolean }>(
    `select quote_ident(attname) as name, attnum = any(indkey) as "isKey"
     from pg_attribute join pg_index on indrelid = attrelid and indisprimary
     where attrelid = $1::regclass and attnum > 0 and not attisdropped
     order by attnum`,
    [table],
  )
  return rows
}
