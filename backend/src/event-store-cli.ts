import 'reflect-metadata'
import { parseArgs } from 'node:util'
import { parseConfig } from './platform/config/config.ts'
import { type Comparison, compareEvents } from './platform/event-store/compare-events.ts'
import {
  type CopyTarget,
  moveLedger,
  putIntoEventStoreDb,
  putIntoPostgres,
} from './platform/event-store/copy-events.ts'
import { EventStoreDbEventStore } from './platform/event-store/eventstoredb-event-store.ts'
import { PostgresEventStore } from './platform/event-store/postgres-event-store.ts'
import { createLogger } from './platform/logging/logger.ts'
import { createPool, type Pool } from './platform/postgres/postgres.module.ts'
import { runCommand, UsageError } from './platform/run-command.ts'
import { projectionsOn } from './projections.ts'

const usage = `Usage:
  npm run event-store -- move <postgres|eventstoredb>
  npm run event-store -- compare
EVENTSTORE_URL says where EventStoreDB is.`

/**
 * An append to EventStoreDB is given up after 10 s, and each reading before it after 4 s. One that comes later still is
 * told that the ledger has moved, so that nobody takes its event for done.
 */
const settleMs = 15_000

type Stores = Record<'postgres' | 'eventstoredb', CopyTarget>

/** An operator's commands on where the ledger is kept. Answers whether all is as it should be. */
async function main(): Promise<boolean> {
  const target = readArguments(process.argv.slice(2))
  const config = parseConfig(process.env)
  if (config.eventStore.url === undefined) throw new UsageError(usage)
  const logger = createLogger('warn', 'event-store')
  const pool = createPool(config, logger)
  const postgres = new PostgresEventStore(pool, config, logger)
  const eventStoreDb = new EventStoreDbEventStore(pool, config, logger)
  const stores: Stores = {
    postgres: { name: 'postgres', events: postgres, put: putIntoPostgres },
    eventstoredb: {
      name: 'eventstoredb',
      events: eventStoreDb,
      put: (_client, events) => putIntoEventStoreDb(eventStoreDb, events),
    },
  }
  try {
    return target === undefined
      ? tell(await compareEvents(stores.postgres, stores.eventstoredb))
      : await move(target, stores, pool)
  } finally {
    await Promise.all([postgres.onApplicationShutdown(), eventStoreDb.onApplicationShutdown()])
    await pool.end()
  }
}

/** Answers where to move; `undefined`: nowhere, the stores are to be compared. */
function readArguments(args: string[]): keyof Stores | undefined {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const [verb, target] = positionals
  if (verb === 'compare' && positionals.length === 1) return undefined
  if (verb !== 'move' || positionals.length !== 2) throw new UsageError(usage)
  if (target !== 'postgres' && target !== 'eventstoredb') throw new UsageError(usage)
  return target
}

async function move(target: keyof Stores, stores: Stores, pool: Pool): Promise<boolean> {
  const source = target === 'postgres' ? 'eventstoredb' : 'postgres'
  const comparison = await moveLedger({
    from: stores[source],
    to: stores[target],
    pool,
    projections: projectionsOn(target),
    settleMs,
    say: (line) => console.log(line),
  }).catch((error: unknown) => {
    console.error(`The move has not ended. Run it again to go on, or call it off: move ${source}.`)
    throw error
  })
  if (!comparison) return true
  const isSame = tell(comparison)
  const restart = `Start the product again ${target === 'postgres' ? 'without' : 'with'} EVENTSTORE_URL.`
  console.log(
    isSame ? `The ledger is kept in ${target} now. ${restart}` : `The ledger was not moved to ${target}.`,
  )
  return isSame
}

function tell({ eventCount, differences, differenceCount }: Comparison): boolean {
  for (const difference of differences) console.log(difference)
  if (differenceCount > differences.length)
    console.log(`and ${differenceCount - differences.length} differences more`)
  console.log(
    differenceCount === 0
      ? `Both stores hold the same ${eventCount} events.`
      : `The stores differ: ${differenceCount} differences.`,
  )
  return differenceCount === 0
}

runCommand(main)
