import 'reflect-metadata'
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { type DynamicModule, type INestApplicationContext, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { CommandBus, QueryBus } from '@nestjs/cqrs'
import { instantSchema } from '@earmark/contracts/credits'
import { AdjustCredits } from './credits/adjust-credits/adjust-credits.handler.ts'
import { LedgerModule } from './credits/credits.module.ts'
import { parseCredits, toCredits } from './credits/domain/amounts.ts'
import type { AdjustCommand, GrantCommand } from './credits/domain/decide.ts'
import { GetBalance } from './credits/get-balance/get-balance.handler.ts'
import { GetStatement } from './credits/get-statement/get-statement.handler.ts'
import { toCsv } from './credits/get-statement/statement-csv.ts'
import { GrantCredits } from './credits/grant-credits/grant-credits.handler.ts'
import { Ledger, type LedgerAnswer } from './credits/ledger.ts'
import { type Config, parseConfig } from './platform/config/config.ts'
import { createLogger, NestLogger } from './platform/logging/logger.ts'
import { PlatformModule } from './platform/platform.module.ts'
import { DATABASE, type Database } from './platform/postgres/postgres.module.ts'
import { runCommand, UsageError } from './platform/run-command.ts'

const usage = `Usage:
  npm run credits -- balance <email> [--at <instant>]
  npm run credits -- statement <email> [--from <day>] [--to <day>] [--format json|csv]
  npm run credits -- grant <email> <credits> --reason <text> [--operation-id <id>] [--dry-run]
  npm run credits -- adjust <email> <credits, up or down: -2.5> --reason <text> [--operation-id <id>] [--dry-run]`

type Options = Partial<Record<'reason' | 'operation-id' | 'at' | 'from' | 'to' | 'format', string>> & {
  'dry-run'?: boolean
}
type Request = { email: string; credits: string; options: Options }
type User = { id: string; email: string }
type Run = (app: INestApplicationContext, user: User, request: Request) => Promise<void>

const logger = createLogger('warn', 'credits')

/** A line of the history is to be read. */
const longestReason = 1000

@Module({})
class CliModule {
  static of(config: Config): DynamicModule {
    return { module: CliModule, imports: [PlatformModule.of(config, logger), LedgerModule] }
  }
}

/** An operator's commands and questions: the same ledger commands that the product uses. */
async function main(): Promise<boolean> {
  const { run, ...request } = readArguments(process.argv.slice(2))
  const config = parseConfig(process.env)
  const app = await NestFactory.createApplicationContext(CliModule.of(config), {
    logger: new NestLogger(logger),
    abortOnError: false,
  })
  try {
    const user = await findUser(app.get<Database>(DATABASE), request.email)
    await run(app, user, request)
    return true
  } finally {
    await app.close()
  }
}

const ofChange: readonly string[] = ['reason', 'operation-id', 'dry-run']
/** `words`: how many are behind the verb. */
const verbs: Record<string, { run: Run; words: number; options: readonly string[] }> = {
  balance: { run: showBalance, words: 1, options: ['at'] },
  statement: { run: showStatement, words: 1, options: ['from', 'to', 'format'] },
  grant: { run: grant, words: 2, options: ofChange },
  adjust: { run: adjust, words: 2, options: ofChange },
}

function readArguments(args: string[]): Request & { run: Run } {
  // A negative amount is no option.
  const { positionals, values } = parseArgs({
    args: args.map((arg, place) =>
      isNegativeAmount(arg) && !takesNext(args[place - 1]) ? `\u2212${arg.slice(1)}` : arg,
    ),
    allowPositionals: true,
    options: {
      reason: { type: 'string' },
      'operation-id': { type: 'string' },
      at: { type: 'string' },
      from: { type: 'string' },
      to: { type: 'string' },
      format: { type: 'string' },
      'dry-run': { type: 'boolean' },
    },
  })
  const [name = '', ...words] = positionals
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
  if (verb?.words !== words.length) throw new UsageError(usage)
  if (Object.keys(values).some((option) => !verb.options.includes(option))) throw new UsageError(usage)
  const [email = '', credits = ''] = words
  return { run: verb.run, email, credits: credits.replace('\u2212', '-'), options: values }
}

function isNegativeAmount(arg: string): boolean {
  return /^-[\d.]+$/.test(arg)
}

/** An option whose value is the argument behind it. */
function takesNext(arg: string | undefined): boolean {
  return arg?.startsWith('--') === true && arg !== '--dry-run' && !arg.includes('=')
}

async function findUser(database: Database, email: string): Promise<User> {
  const user = await database
    .selectFrom('users')
    .select(['id', 'email'])
    .where((where) => where(where.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst()
  if (!user) throw new UsageError(`There is no account with the address ${email}.`)
  return user
}

async function showBalance(app: INestApplicationContext, user: User, { options }: Request) {
  const queries = app.get(QueryBus)
  if (options.at !== undefined) {
    const at = instant(options.at)
    if (at > new Date()) throw new UsageError(`${options.at} is yet to come.`)
    const { closing_balance, closing_owed } = await queries.execute(
      new GetStatement(user.id, { from: at, to: at }),
    )
    const owed = closing_owed > 0 ? ` and owed ${closing_owed}` : ''
    console.log(`${user.email} had ${closing_balance} credits${owed} at ${at.toISOString()}.`)
    return
  }
  const { balanceMicrocredits, owedMicrocredits } = await queries.execute(new GetBalance(user.id))
  const owed = owedMicrocredits > 0 ? ` and owes ${toCredits(owedMicrocredits)}` : ''
  console.log(`${user.email} has ${toCredits(balanceMicrocredits)} credits${owed}.`)
}

async function showStatement(app: INestApplicationContext, user: User, { options }: Request) {
  const from = options.from === undefined ? new Date(0) : instant(options.from)
  const to = options.to === undefined ? new Date() : instant(options.to)
  const format = options.format ?? 'csv'
  if (format !== 'csv' && format !== 'json') throw new UsageError(usage)
  if (from > to) throw new UsageError('A period cannot end before it begins.')
  const statement = await app.get(QueryBus).execute(new GetStatement(user.id, { from, to }))
  process.stdout.write(format === 'csv' ? toCsv(statement) : `${JSON.stringify(statement, null, 2)}\n`)
}

async function grant(app: INestApplicationContext, user: User, request: Request) {
  const grant: Omit<GrantCommand, 'type'> = {
    ...operationOf(request),
    operationType: 'grant',
    amountMicrocredits: amountOf(request),
  }
  await change(app, user, request, { type: 'grant', ...grant }, () =>
    app.get(CommandBus).execute(new GrantCredits(user.id, grant)),
  )
}

async function adjust(app: INestApplicationContext, user: User, request: Request) {
  const adjustment: Omit<AdjustCommand, 'type'> = {
    ...operationOf(request),
    signedAmountMicrocredits: amountOf(request),
  }
  await change(app, user, request, { type: 'adjust', ...adjustment }, () =>
    app.get(CommandBus).execute(new AdjustCredits(user.id, adjustment)),
  )
}

async function change(
  app: INestApplicationContext,
  user: User,
  { options }: Request,
  command: GrantCommand | AdjustCommand,
  execute: () => Promise<LedgerAnswer>,
) {
  // Before the `--` npm takes it for an option of its own, which must not become a grant.
  const isDry = options['dry-run'] === true || process.env.npm_config_dry_run === 'true'
  if (!isDry) {
    const { operationId } = command
    console.log(
      `Operation: ${operationId}. If this ends without an answer, run it again with --operation-id ${operationId}`,
    )
  }
  const answer = isDry ? await app.get(Ledger).preview(user.id, command) : await execute()
  if (!answer.accepted) throw new UsageError(`Refused: ${answer.refusal.code}`)
  const { amountMicrocredits, balanceAfterMicrocredits } = answer.receipt
  const what = command.type === 'grant' ? 'granted to' : 'adjusted for'
  console.log(
    `${isDry ? 'Dry run, nothing was written: ' : ''}${toCredits(amountMicrocredits)} credits ${what} ${user.email}. ` +
      `Balance: ${toCredits(balanceAfterMicrocredits)}.`,
  )
}

function operationOf({ options }: Request) {
  const reason = options.reason?.trim()
  if (!reason) throw new UsageError(usage)
  if (reason.length > longestReason)
    throw new UsageError(`The reason is longer than ${longestReason} characters.`)
  return { operationId: options['operation-id'] ?? `operator:${randomUUID()}`, note: { description: reason } }
}

function amountOf({ credits }: Request) {
  try {
    return parseCredits(credits)
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error
  }
}

function instant(text: string): Date {
  const { error } = instantSchema.safeParse(text)
  if (error) throw new UsageError(`"${text}": ${error.issues[0]?.message}`)
  return new Date(text)
}

runCommand(main)
