import 'reflect-metadata'
import { parseArgs } from 'node:util'
import { NestFactory } from '@nestjs/core'
import { parseConfig } from './platform/config/config.ts'
import { EventStore } from './platform/event-store/event-store.ts'
import { createLogger, NestLogger } from './platform/logging/logger.ts'
import { PlatformModule } from './platform/platform.module.ts'
import { POOL, type Pool } from './platform/postgres/postgres.module.ts'
import { progressOf } from './platform/projections/progress.ts'
import type { Projection } from './platform/projections/projection.ts'
import { rebuild } from './platform/projections/rebuild.ts'
import { type Difference, verify } from './platform/projections/verify.ts'
import { runCommand, UsageError } from './platform/run-command.ts'
import { projectionsOn } from './projections.ts'

const usage = `Usage:
  npm run projections -- status [name]
  npm run projections -- rebuild [name]
  npm run projections -- verify [name]
Without a name: all of them.`

type Parts = { events: EventStore; pool: Pool }

/** Answers whether all is as it should be. */
type Verb = (projection: Projection, parts: Parts) => Promise<boolean>

const verbs: Record<string, Verb> = { status: showStatus, rebuild: rebuildNow, verify: verifyNow }

/** An operator's commands on what is made of events. The product may run meanwhile. */
async function main(): Promise<boolean> {
  const { verb, name } = readArguments(process.argv.slice(2))
  const config = parseConfig(process.env)
  const chosen = choose(projectionsOn(config.eventStore.name), name)
  const logger = createLogger('warn', 'projections')
  const app = await NestFactory.createApplicationContext(PlatformModule.of(config, logger), {
    logger: new NestLogger(logger),
    abortOnError: false,
  })
  try {
    const parts = { events: app.get(EventStore), pool: app.get<Pool>(POOL) }
    let isRight = true
    for (const projection of chosen) isRight = (await verb(projection, parts)) && isRight
    return isRight
  } finally {
    await app.close()
  }
}

function readArguments(args: string[]): { verb: Verb; name: string | undefined } {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const [verbName = '', name, ...others] = positionals
  const verb = Object.hasOwn(verbs, verbName) ? verbs[verbName] : undefined
  if (!verb || others.length > 0) throw new UsageError(usage)
  return { verb, name }
}

function choose(projections: readonly Projection[], name: string | undefined): readonly Projection[] {
  const chosen = name === undefined ? projections : projections.filter((one) => one.name === name)
  if (chosen.length > 0) return chosen
  const names = projections.map((one) => one.name).join(', ')
  throw new UsageError(`There is no projection ${name}. There are: ${names}`)
}

async function showStatus(projection: Projection, { events, pool }: Parts): Promise<boolean> {
  const { position, eventsBehind, secondsBehind } = await progressOf(projection, events, pool)
  const rows = await Promise.all(
    projection.tables.map(async (table) => {
      const { rows: counted } = await pool.query<{ count: number }>(`select count(*) from ${table}`)
      return `${counted[0]?.count} rows in ${table}`
    }),
  )
  console.log(
    `${projection.name}: at position ${position}, ${eventsBehind} events and ${secondsBehind.toFixed(1)} s behind; ` +
      rows.join(', '),
  )
  return true
}

async function rebuildNow(projection: Projection, { events, pool }: Parts): Promise<boolean> {
  const startedAt = performance.now()
  const position = await rebuild(projection, events, pool)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${projection.name}: made anew up to position ${position} in ${seconds} s`)
  return true
}

async function verifyNow(projection: Projection, { events, pool }: Parts): Promise<boolean> {
  const { position, rows, differences, differenceCount } = await verify(projection, events, pool)
  for (const difference of differences) console.log(tell(difference))
  if (differenceCount > differences.length)
    console.log(`and ${differenceCount - differences.length} differences more`)
  console.log(
    differenceCount === 0
      ? `${projection.name}: ${rows} rows are what the events up to position ${position} make`
      : `${projection.name}: ${differenceCount} differences from what the events up to position ${position} make. ` +
          `To make it anew: npm run projections -- rebuild ${projection.name}`,
  )
  return differenceCount === 0
}

function tell(difference: Difference): string {
  const row = Object.entries(difference.key)
    .map(([column, value]) => `${column} ${value}`)
    .join(', ')
  const what =
    difference.kind === 'value differs'
      ? `${difference.column} is ${difference.is}, should be ${difference.shouldBe}`
      : difference.kind
  return `${difference.table}, ${row}: ${what}`
}

runCommand(main)
