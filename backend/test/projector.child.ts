import 'reflect-metadata'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { transactionsProjection } from '../src/credits/list-transactions/transactions.projection.ts'
import type { Config } from '../src/platform/config/config.ts'
import type { PositionedEvent } from '../src/platform/event-store/event-store.ts'
import { PostgresEventStore } from '../src/platform/event-store/postgres-event-store.ts'
import { createLogger } from '../src/platform/logging/logger.ts'
import { createPool } from '../src/platform/postgres/postgres.module.ts'
import { Projector } from '../src/platform/projections/projector.ts'
import { sequence } from './random-numbers.ts'

/** A projector that is there to be killed: it reads few events at a time, and a tenth of them comes twice. */
const eventsAtATime = 20

const { config, seed } = JSON.parse(process.env.PROJECTOR ?? '') as { config: Config; seed: number }
const logger = createLogger('error', 'projector')
const pool = createPool(config, logger)
const random = sequence(seed)
const comesAgain = () => random() % 10 === 0

class Repeating extends PostgresEventStore {
  override async readAll(position: number): Promise<PositionedEvent[]> {
    process.send?.('at work')
    // From before the checkpoint on: what an earlier batch had comes again with this one.
    const events = await super.readAll(Math.max(0, position - 5), eventsAtATime + 5)
    return events.flatMap((event, place) => {
      if (event.position <= position) return comesAgain() ? [event] : []
      const earlier = events[random() % (place + 1)] ?? event
      return comesAgain() ? [event, earlier] : [event]
    })
  }

  override async waitForEvents(): Promise<void> {
    await sleep(1)
  }
}

const projector = new Projector(transactionsProjection, {
  events: new Repeating(pool, config, logger),
  pool,
  logger,
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
await once(process, 'message')
projector.start()
