import { startChild } from '../child.ts'
import { type Contender, inTurn, load, type Round, type Rounds } from '../measure.ts'
import { anyOf, charge, chargeMix, expectAccepted, newUsers, openAccounts, openOurs } from '../ours.ts'
import { pgbenchPeer } from '../peers/pgbench.ts'
import { pgledgerPeer } from '../peers/pgledger.ts'
import { insertPeer, openPeerPool, statementPeer } from '../peers/plain-sql.ts'
import type { EmmettTurn } from '../processes/emmett.ts'
import { compare, notMeasured, of, type Row } from '../report.ts'
import { randomUUID } from 'node:crypto'

const clients = 64
const accounts = 1000
const chargesPerSecond = 'charges/s'

/** Ours, its projector in another process, and connections for peers. */
async function open(url: string, peerConnections: number) {
  const ours = openOurs(url)
  const projector = startChild('projector', { args: [url] })
  const users = newUsers(accounts)
  await openAccounts(ours, users)
  const pool = await openPeerPool(url, peerConnections)
  const mixed = (name: string, among: readonly string[]): Contender => {
    const next = chargeMix(among)
    return {
      name,
      turn: async () => {
        const round = await load(() => next(ours.ledger), { clients })
        await ours.drain()
        return round
      },
    }
  }
  return {
    ours,
    users,
    pool,
    mixed,
    close: async () => {
      await pool.end()
      await ours.close()
      await projector.stop()
    },
  }
}

/** 64 clients over 1,000 accounts. */
export async function uniform(url: string): Promise<Row[]> {
  const { users, pool, mixed, close } = await open(url, clients)
  const [insert, pgledger] = [await insertPeer(pool), await pgledgerPeer(pool, accounts)]
  const emmett = startChild('emmett', { args: [url, String(clients), ...users] })
  await emmett.greeting()
  const pgbench = await pgbenchPeer(url, { clients, accounts })
  const rounds = await inTurn([
    mixed('ours', users),
    { name: 'insert', turn: () => load(() => insert(anyOf(users)), { clients }) },
    { name: 'pgledger', turn: () => load(pgledger.betweenAnyTwo, { clients }) },
    { name: 'emmett', turn: () => emmett.ask<Round>({ clients } satisfies EmmettTurn) },
    ...(pgbench ? [{ name: 'pgbench', turn: pgbench.turn }] : []),
  ])
  await emmett.stop()
  await pgbench?.close()
  await close()

  const rates = ratesOf(rounds)
  return [
    rates('pgledger', `uniform: pgledger (${pgledger.sql})`, 9),
    rates('emmett', 'uniform: Emmett', 11),
    rates('insert', 'uniform: one INSERT per commit', 1.3),
    pgbench
      ? rates('pgbench', 'uniform: pgbench’s raw INSERT', null)
      : notMeasured('uniform: pgbench’s raw INSERT', 'pgbench is not on the PATH'),
    tail(rounds, 'uniform: p99 against pgledger'),
  ]
}

function ratesOf(rounds: Rounds) {
  const ours = of(rounds, 'ours', 'perSecond')
  return (peer: string, name: string, goal: number | null) =>
    compare({ name, unit: chargesPerSecond, ours, theirs: of(rounds, peer, 'perSecond'), goal })
}

function tail(rounds: Rounds, name: string): Row {
  const [ours, theirs] = [of(rounds, 'ours', 'p99Ms'), of(rounds, 'pgledger', 'p99Ms')]
  return compare({ name, unit: 'ms', ours, theirs, goal: 10, isInverse: true })
}

/** 64 clients on one account. */
export async function hot(url: string): Promise<Row[]> {
  const { users, pool, mixed, close } = await open(url, clients)
  const one = users.slice(0, 1)
  const pgledger = await pgledgerPeer(pool, accounts)
  const statement = await statementPeer(pool, users)
  const rounds = await inTurn([
    mixed('ours', one),
    { name: 'pgledger', turn: () => load(pgledger.fromOne, { clients }) },
    { name: 'statement', turn: () => load(() => statement(one[0] ?? ''), { clients }) },
    mixed('ours, uniform', users),
  ])
  await close()

  const rates = ratesOf(rounds)
  return [
    rates('pgledger', `hot: pgledger (${pgledger.sql})`, 40),
    rates('statement', 'hot: one-statement charge', 20),
    rates('ours, uniform', 'hot: our own uniform charges', 1),
    tail(rounds, 'hot: p99 against pgledger'),
  ]
}

/** One client, who waits for each answer. */
export async function single(url: string): Promise<Row[]> {
  const { ours, users, pool, close } = await open(url, 1)
  const [insert, pgledger] = [await insertPeer(pool), await pgledgerPeer(pool, accounts)]
  const fresh = () => expectAccepted(ours.ledger.execute(anyOf(users), charge(randomUUID())))
  const rounds = await inTurn([
    {
      name: 'ours',
      turn: async () => {
        const round = await load(fresh, { clients: 1 })
        await ours.drain()
        return round
      },
    },
    { name: 'insert', turn: () => load(() => insert(anyOf(users)), { clients: 1 }) },
    { name: 'pgledger', turn: () => load(pgledger.betweenAnyTwo, { clients: 1 }) },
  ])
  await close()

  const rates = ratesOf(rounds)
  return [
    rates('insert', 'single: one INSERT per commit', 0.65),
    rates('pgledger', `single: pgledger (${pgledger.sql})`, 1.6),
  ]
}
