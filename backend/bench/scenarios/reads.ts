import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { startChild } from '../child.ts'
import { inTurn, load, type Round } from '../measure.ts'
import { anyOf, newUsers, openAccounts, openOurs } from '../ours.ts'
import { openPeerPool, statementPeer } from '../peers/plain-sql.ts'
import type { HttpTurn } from '../processes/http-load.ts'
import { compare, of, type Row } from '../report.ts'

const callers = 32
const accounts = 1000

/** The balance by the ledger, strongly, against the row of a table by its key. */
export async function reads(url: string): Promise<Row[]> {
  const ours = openOurs(url)
  const users = newUsers(accounts)
  await openAccounts(ours, users)
  const pool = await openPeerPool(url, callers)
  await statementPeer(pool, users)
  const text = 'select balance from peer_balances where id = $1'
  const read = (user: string) => pool.query({ name: 'balance', text, values: [user] })
  const rounds = await inTurn([
    { name: 'ours', turn: () => load(() => ours.ledger.position(anyOf(users)), { clients: callers }) },
    { name: 'statement', turn: () => load(() => read(anyOf(users)), { clients: callers }) },
  ])
  await pool.end()
  await ours.close()
  const [mine, theirs] = [of(rounds, 'ours', 'perSecond'), of(rounds, 'statement', 'perSecond')]
  return [compare({ name: 'reads: a named statement', unit: 'reads/s', ours: mine, theirs, goal: 3 })]
}

/** The product's route with all that stands before it, against Fastify and pg with nothing. */
export async function http(url: string): Promise<Row[]> {
  const dataFolder = await mkdtemp(path.join(tmpdir(), 'earmark-bench-files-'))
  const app = startChild('app', { args: [url, dataFolder] })
  const base = `${await app.greeting<string>()}/v1`
  const { id, token } = await signUp(base)

  const ours = openOurs(url)
  await openAccounts(ours, [id])
  await ours.close()
  const pool = await openPeerPool(url, 1)
  await statementPeer(pool, [id])
  await pool.end()
  const bare = startChild('bare-route', { args: [url, String(callers)] })
  const bareBase = await bare.greeting<string>()

  const generator = startChild('http-load')
  const turn = (address: string, headers: Record<string, string>) => () =>
    generator.ask<Round>({ url: address, headers, connections: callers } satisfies HttpTurn)
  const rounds = await inTurn([
    { name: 'ours', turn: turn(`${base}/credits/balance`, { authorization: `Bearer ${token}` }) },
    { name: 'bare', turn: turn(`${bareBase}/balance/${id}`, {}) },
  ])
  await Promise.all([app, bare, generator].map((child) => child.stop()))
  await rm(dataFolder, { recursive: true, force: true })
  const [mine, theirs] = [of(rounds, 'ours', 'perSecond'), of(rounds, 'bare', 'perSecond')]
  return [compare({ name: 'http: a bare Fastify route', unit: 'requests/s', ours: mine, theirs, goal: 1 })]
}

/** As a browser does it. */
async function signUp(base: string): Promise<{ id: string; token: string }> {
  const call = async (route: string, body?: object, token?: string) => {
    const response = await fetch(base + route, {
      method: body ? 'POST' : 'GET',
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${route} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as Record<string, string>
  }
  const solve = async () => {
    const challenge = (await call('/auth/challenge')) as unknown as Parameters<
      typeof solveChallenge
    >[0]['challenge']
    const solution = await solveChallenge({ challenge, deriveKey })
    return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
  }
  const account = { email: `${randomUUID()}@example.org`, password: 'correct horse' }
  await call('/auth/signup', { ...account, turnstile_token: await solve() })
  const { access_token: token = '' } = await call('/auth/signin', {
    ...account,
    turnstile_token: await solve(),
  })
  const { id = '' } = await call('/auth/v1/user', undefined, token)
  return { id, token }
}
