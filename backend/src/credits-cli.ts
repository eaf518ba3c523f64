import 'reflect-metadata'
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { type DynamicModule, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { CommandBus } from '@nestjs/cqrs'
import { LedgerModule } from './credits/credits.module.ts'
import { parseCredits, toCredits } from './credits/domain/amounts.ts'
import { GrantCredits } from './credits/grant-credits/grant-credits.handler.ts'
import { type Config, ConfigError, parseConfig } from './platform/config/config.ts'
import { createLogger, NestLogger } from './platform/logging/logger.ts'
import { PlatformModule } from './platform/platform.module.ts'
import { DATABASE, type Database } from './platform/postgres/postgres.module.ts'

const usage = 'Usage: npm run credits -- grant <email> <credits> --reason <text> [--operation-id <id>]'

@Module({})
class CliModule {
  static of(config: Config): DynamicModule {
    return {
      module: CliModule,
      imports: [PlatformModule.of(config, createLogger('warn', 'credits')), LedgerModule],
    }
  }
}

/** An operator's command: the same ledger command that the product uses. */
async function main() {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { reason: { type: 'string' }, 'operation-id': { type: 'string' } },
  })
  const [verb, email, credits] = positionals
  if (verb !== 'grant' || !email || !credits || !values.reason?.trim()) throw new UsageError(usage)
  const amountMicrocredits = parseCredits(credits)
  const config = parseConfig(process.env)
  const app = await NestFactory.createApplicationContext(CliModule.of(config), {
    logger: new NestLogger(createLogger('warn', 'credits')),
    abortOnError: false,
  })
  try {
    const user = await app
      .get<Database>(DATABASE)
      .selectFrom('users')
      .select(['id', 'email'])
      .where((where) => where(where.fn('lower', ['email']), '=', email.toLowerCase()))
      .executeTakeFirst()
    if (!user) throw new UsageError(`There is no account with the address ${email}.`)
    const operationId = values['operation-id'] ?? `operator:${randomUUID()}`
    console.log(
      `Operation: ${operationId}. If this ends without an answer, run it again with --operation-id ${operationId}`,
    )
    const answer = await app.get(CommandBus).execute(
      new GrantCredits(user.id, {
        operationId,
        operationType: 'grant',
        amountMicrocredits,
        note: { description: values.reason.trim() },
      }),
    )
    if (!answer.accepted) throw new UsageError(`Refused: ${answer.refusal.code}`)
    const { receipt } = answer
    console.log(
      `Granted ${toCredits(receipt.amountMicrocredits)} credits to ${user.email}. ` +
        `Balance: ${toCredits(receipt.balanceAfterMicrocredits)}.`,
    )
  } finally {
    await app.close()
  }
}

class UsageError extends Error {}

main().catch((error: unknown) => {
  const told = error instanceof UsageError || error instanceof ConfigError || error instanceof RangeError
  console.error(told ? error.message : error)
  process.exit(1)
})
