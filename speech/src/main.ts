import { once } from 'node:events'
import { readConfig } from './config.ts'
import { cacheFolder, NoSpeechModelError, resolveModel } from './model.ts'
import { createRecognizerPool } from './recognizer-pool.ts'
import { createSpeechServer } from './server.ts'

/** sysexits.h: the configuration is wrong; a service that is needed is not to be had. */
const exitCodes = { badConfiguration: 78, noModel: 69 }

const leave = (code: number, error: unknown): never => {
  console.error(error instanceof Error ? error.message : error)
  process.exit(code)
}

const config = (() => {
  try {
    return readConfig(process.env)
  } catch (error) {
    return leave(exitCodes.badConfiguration, error)
  }
})()

const model = await resolveModel({
  model: config.SPEECH_MODEL,
  cacheFolder: cacheFolder(),
  modelsFolder: process.env.EARMARK_MODELS,
}).catch((error: unknown) => leave(error instanceof NoSpeechModelError ? exitCodes.noModel : 1, error))
if (model.insteadBecause) console.error(`Using the model '${model.name}': ${model.insteadBecause}.`)

const pool = createRecognizerPool({
  modelPath: model.path,
  slots: config.SPEECH_SLOTS,
  threads: config.SPEECH_THREADS,
  queueLength: config.SPEECH_QUEUE,
})
await pool.ready().catch(() => leave(exitCodes.noModel, `The speech model cannot be loaded: ${model.path}`))

const server = createSpeechServer({ pool, modelName: model.name }).listen(config.PORT, config.HOST)
await once(server, 'listening').catch((error: unknown) => leave(1, error))
const address = server.address()
const port = typeof address === 'object' && address ? address.port : config.PORT
console.log(`Speech server on http://${config.HOST}:${port}/v1 with the model '${model.name}'`)

const stop = () => {
  pool.close()
  server.close()
  server.closeAllConnections()
  process.exit(0)
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
