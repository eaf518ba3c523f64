import { randomUUID } from 'node:crypto'
import { CommandHandler, type Event } from '@event-driven-io/emmett'
import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql'
import type pg from 'pg'
import { charge, grantMicrocredits, priceMicrocredits } from '../ours.ts'

type Charged = Event<'CreditsDeducted', Record<string, unknown> & { amount: number }>
type Granted = Event<'CreditsGranted', { amount: number }>
type Balance = { balance: number }

/** Emmett on PostgreSQL as its samples use it: read the stream, decide, append at its version, again on a conflict. */
export async function emmettPeer(url: string, pool: pg.Pool, users: readonly string[]) {
  const store = getPostgreSQLEventStore(url, {
    connectionOptions: { pool },
    schema: { autoMigration: 'None' },
  })
  await store.schema.migrate()
  const handle = CommandHandler<Balance, Charged | Granted>({
    initialState: () => ({ balance: 0 }),
    evolve: ({ balance }, { type, data }) => ({
      balance: type === 'CreditsGranted' ? balance + data.amount : balance - data.amount,
    }),
    // Far more patient than its default, and quicker to come back.
    retry: {
      onVersionConflict: { retries: 200, minTimeout: 1, maxTimeout: 50, factor: 1.5, randomize: true },
    },
  })
  const stream = (user: string) => `creditAccount-${user}`
  for (const user of users) {
    await handle(store, stream(user), () => ({
      type: 'CreditsGranted',
      data: { amount: grantMicrocredits },
    }))
  }
  return {
    charge: (user: string) =>
      handle(store, stream(user), ({ balance }) => {
        if (balance < priceMicrocredits) throw new Error('Emmett’s account has no credits')
        return {
          type: 'CreditsDeducted',
          data: {
            ...charge(randomUUID()),
            amount: priceMicrocredits,
            balanceAfterMicrocredits: balance - priceMicrocredits,
          },
        }
      }),
    close: () => store.close(),
  }
}
