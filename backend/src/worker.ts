import 'reflect-metadata'
import path from 'node:path'
import { NestFactory } from '@nestjs/core'
import { parseConfig } from './platform/config/config.ts'
import { createLogger, NestLogger } from './platform/logging/logger.ts'
import { migrateDatabase } from './platform/postgres/migrate.ts'
import { endBadly } from './platform/run-command.ts'
import { stopOnSignal } from './platform/stop-on-signal.ts'
import { startWorkers } from './platform/temporal/start-workers.ts'
import { activitiesOf, WorkerModule } from './worker.module.ts'

/** The process that runs workflows and their activities, once the database is up to date. Any number may run beside each other. */
async function main() {
  const config = parseConfig(process.env)
  const logger = createLogger(config.logLevel, 'worker')
  await migrateDatabase(config, logger)

  const app = await NestFactory.createApplicationContext(WorkerModule.of(config, logger), {
    logger: new NestLogger(logger),
    abortOnError: false,
  })
  const workers = await startWorkers(config, logger, {
    workflowBundle: path.join(import.meta.dirname, 'workflow-bundle.js'),
    ...activitiesOf(app),
  })
  stopOnSignal(logger, async () => {
    await workers.stop()
    await app.close()
  })
  logger.info('working')
  await workers.failed
}

main().catch(endBadly)
