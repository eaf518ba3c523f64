import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { emptyAccount } from '../../src/credits/domain/account.ts'
import { decide } from '../../src/credits/domain/decide.ts'
import { microcredits } from '../../src/credits/domain/amounts.ts'
import { writeCreditEvent } from '../../src/credits/credit-event.schema.ts'
import { charge, grantMicrocredits, priceMicrocredits } from '../ours.ts'

/** A connection for each client. */
export async function openPeerPool(url: string, clients: number): Promise<pg.Pool> {
  const pool = new pg.Pool({ connectionString: url, max: clients, idleTimeoutMillis: 0 })
  // Where a turn has failed the database goes before its connections: the failure is told by the turn.
  pool.on('error', () => undefined)
  const all = await Promise.all(Array.from({ length: clients }, () => pool.connect()))
  for (const client of all) client.release()
  return pool
}

/** What the ledger writes for a charge: its data alone is what the insert has to carry as well. */
export function chargeEventData(): string {
  const account = { ...emptyAccount, balanceMicrocredits: microcredits(grantMicrocredits) }
  const decision = decide(charge(randomUUID()), account)
  if (!decision.accepted || !decision.event) throw new Error('The sample charge was refused')
  return JSON.stringify(writeCreditEvent(decision.event, randomUUID(), {}).data)
}

/** The floor: one event row of the same size and one commit for each charge. It decides nothing. */
export async function insertPeer(pool: pg.Pool) {
  await pool.query(`
    create table peer_events (
      position bigint generated always as identity primary key,
      stream_id text not null,
      revision bigint not null default 0,
      event_id uuid not null,
      type text not null default 'CreditsDeducted',
      schema_version smallint not null default 1,
      data json not null,
      metadata json not null default '{}',
      operation_id text not null,
      recorded_at timestamptz not null default clock_timestamp(),
      unique (stream_id, operation_id)
    )`)
  const text = 'insert into peer_events (stream_id, event_id, data, operation_id) values ($1, $2, $3, $4)'
  const data = chargeEventData()
  return (user: string) =>
    pool.query({
      name: 'insert',
      text,
      values: [`creditAccount-${user}`, randomUUID(), data, randomUUID()],
    })
}

/** One statement: the balance is taken from where it suffices, and the charge is written down. */
export async function statementPeer(pool: pg.Pool, users: readonly string[]) {
  await pool.query(`
    create table peer_balances (id uuid primary key, balance bigint not null check (balance >= 0)) with (fillfactor = 50);
    create table peer_charges (
      operation_id uuid primary key,
      account_id uuid not null,
      amount bigint not null,
      balance_after bigint not null,
      charged_at timestamptz not null default now()
    )`)
  await pool.query('insert into peer_balances select id, $2 from unnest($1::uuid[]) as id', [
    users,
    grantMicrocredits,
  ])
  const text = `
    with charged as (
      update peer_balances set balance = balance - $3 where id = $2 and balance >= $3 returning balance
    )
    insert into peer_charges (operation_id, account_id, amount, balance_after)
    select $1, $2, $3, balance from charged returning balance_after`
  return async (user: string) => {
    const { rowCount } = await pool.query({
      name: 'charge',
      text,
      values: [randomUUID(), user, priceMicrocredits],
    })
    if (rowCount !== 1) throw new Error('The one-statement charge was refused')
  }
}
