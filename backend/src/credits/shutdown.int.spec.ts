import { randomUUID } from 'node:crypto'
import { CommandBus } from '@nestjs/cqrs'
import { expect, it } from 'vitest'
import { createDatabase, testConfig } from '../../test/app.ts'
import { AppModule } from '../app.module.ts'
import { createHttpApp } from '../platform/http/create-http-app.ts'
import { createLogger } from '../platform/logging/logger.ts'
import { microcredits } from './domain/amounts.ts'
import { GrantCredits } from './grant-credits/grant-credits.handler.ts'

// Seen red with a ledger that does not wait.
it('answers every command that was under way when the application closes', async () => {
  const database = await createDatabase()
  const config = testConfig({ DATABASE_URL: database.url })
  const logger = createLogger('silent', 'test')
  const app = await createHttpApp(AppModule.of(config, logger), config, logger)
  await app.listen(0, '127.0.0.1')
  const bus = app.get(CommandBus)
  const users = Array.from({ length: 20 }, () => randomUUID())
  const grant = {
    operationType: 'grant' as const,
    amountMicrocredits: microcredits(1),
    note: { description: 'for a test' },
  }
  const sent = users.flatMap((user) =>
    Array.from({ length: 500 }, () =>
      bus.execute(new GrantCredits(user, { ...grant, operationId: randomUUID() })),
    ),
  )
  await app.close()
  const answers = await Promise.allSettled(sent)
  expect(answers.filter((answer) => answer.status === 'fulfilled' && answer.value.accepted)).toHaveLength(
    10_000,
  )
  await database.drop()
})
