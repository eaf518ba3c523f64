import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startApp, type TestApp } from '../../test/app.ts'
import { namespaces } from '../../test/servers.ts'
import { accountStream } from '../credits/ledger.ts'
import { EventStore, type NewEvent } from '../platform/event-store/event-store.ts'
import { POOL, type Pool } from '../platform/postgres/postgres.module.ts'

describe('what is told of the ledger and its projections', () => {
  let app: TestApp

  beforeAll(async () => {
    app = await startApp({ TEMPORAL_NAMESPACE: namespaces.idle })
  })
  afterAll(() => app.close())

  const metric = async (name: string) => {
    const { body } = await app.call('GET', '/metrics')
    return Number(new RegExp(`^${name}(?:{projection="credit_transactions"})? (.+)$`, 'm').exec(body)?.[1])
  }
  const part = async (wanted: string) => {
    const { body } = await app.call('GET', '/health/ready')
    const { parts } = body.details as { parts: { name: string; ready: boolean; reason?: string }[] }
    return parts.find(({ name }) => name === wanted)
  }
  const projections = () => part('projections')

  it('is told in Prometheus’ format, to anybody, with nothing about a person', async () => {
    const user = await app.signUp(5)
    await app.call('GET', '/credits/transactions', { token: user.token })
    const { status, headers, body } = await app.call('GET', '/metrics')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const format = /^(# (HELP|TYPE) [a-z_0-9]+ .+|[a-z_0-9]+({projection="[a-z_]+"})? \d+(\.\d+)?)$/
    for (const line of (body as string).trimEnd().split('\n')) expect(line).toMatch(format)
    expect(body).not.toContain(user.id)
    expect(body).not.toContain(user.email)
    await vi.waitFor(async () => {
      expect(await metric('earmark_projection_events_behind')).toBe(0)
      expect(await metric('earmark_projection_lag_seconds')).toBe(0)
    })
    expect(await metric('process_cpu_seconds_total')).toBeGreaterThan(0)
    expect(await metric('process_resident_memory_bytes')).toBeGreaterThan(1e6)
    expect(await projections()).toEqual({ name: 'projections', ready: true })
  })

  // Seen red without the part.
  it.each([
    ['eventstoredb', 'the ledger is kept in eventstoredb, and this process is configured for postgres'],
    ['moving', 'the ledger is being moved to another event store'],
  ])('is not ready while the ledger’s home is another: %s', async (home, reason) => {
    const pool = app.app.get<Pool>(POOL)
    expect(await part('ledger')).toEqual({ name: 'ledger', ready: true })
    await pool.query('update event_store_position set store = $1', [home])
    expect(await part('ledger')).toEqual({ name: 'ledger', ready: false, reason })
    await pool.query(`update event_store_position set store = 'postgres'`)
    expect(await part('ledger')).toEqual({ name: 'ledger', ready: true })
  })

  // Seen red with an event that cannot be read skipped, and with the failure not kept.
  it('is not ready once a projection met an event that it cannot take in, and says which, but not whose', async () => {
    const user = randomUUID()
    const fromTheFuture: NewEvent = {
      eventId: randomUUID(),
      type: 'CreditsGranted',
      schemaVersion: 99,
      data: {},
      metadata: {},
      operationId: 'from the future',
    }
    await app.app.get(EventStore).append(accountStream(user), -1, [fromTheFuture])
    await vi.waitFor(async () => expect(await projections()).toMatchObject({ ready: false }))
    expect((await projections())?.reason).toBe('credit_transactions has stopped: the log says at which event')
    await vi.waitFor(async () => expect(await metric('earmark_projection_stopped')).toBe(1), 3000)
    expect(await metric('earmark_projection_events_behind')).toBe(1)

    // What is checked of every ledger at the end of a test cannot read it either.
    await app.app.get<Pool>(POOL).query('delete from events where operation_id = $1', ['from the future'])
  })
})
