import 'reflect-metadata'
import { AppModule } from '../../src/app.module.ts'
import { createHttpApp } from '../../src/platform/http/create-http-app.ts'
import { createLogger } from '../../src/platform/logging/logger.ts'
import { answerParent } from '../child.ts'
import { productConfig } from '../ours.ts'

/** The product's HTTP process, its log included. */
const [url = '', dataFolder = ''] = process.argv.slice(2)
const config = productConfig(url, { DATA_DIR: dataFolder })
const logger = createLogger(config.logLevel, 'backend')
const app = await createHttpApp(AppModule.of(config, logger), config, logger)
await app.listen(0, '127.0.0.1')
answerParent(
  () => Promise.resolve(),
  () => app.close(),
)
process.send?.(await app.getUrl())
