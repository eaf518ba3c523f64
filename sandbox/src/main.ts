import { z } from 'zod'
import { startSandbox } from './server.ts'

const environment = z
  .object({
    SANDBOX_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
    HOST: z.string().min(1).default('127.0.0.1'),
    SANDBOX_MEDIA: z.string().optional(),
  })
  .safeParse(process.env)

if (!environment.success) {
  console.error(z.prettifyError(environment.error))
  process.exit(1)
}

const { SANDBOX_PORT: port, HOST: host, SANDBOX_MEDIA: mediaFolder } = environment.data
const sandbox = await startSandbox({ port, host, mediaFolder: mediaFolder || undefined }).catch(
  (error: unknown) => {
    console.error(`The sandbox cannot start: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  },
)
console.log(`sandbox listening on ${sandbox.url}`)

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void sandbox.close().then(() => process.exit(0)))
}
