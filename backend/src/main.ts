import 'reflect-metadata'
import { AppModule } from './app.module.ts'
import { parseConfig } from './platform/config/config.ts'
import { createHttpApp } from './platform/http/create-http-app.ts'
import { createLogger } from './platform/logging/logger.ts'
import { migrateDatabase } from './platform/postgres/migrate.ts'
import { endBadly } from './platform/run-command.ts'
import { stopOnSignal } from './platform/stop-on-signal.ts'

/** The HTTP side: brings the database up to date, then listens. */
async function main() {
  const config = parseConfig(process.env)
  const logger = createLogger(config.logLevel, 'backend')
  await migrateDatabase(config, logger)

  const app = await createHttpApp(AppModule.of(config, logger), config, logger)
  stopOnSignal(logger, () => app.close())
  await app.listen(config.http.port, config.http.host)
  logger.info({ url: await app.getUrl() }, 'listening')
}

main().catch(endBadly)
