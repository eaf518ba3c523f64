import { z } from 'zod'
import { startSandbox } from './server.ts'

const environment = z
  .object({
    SANDBOX_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
    HOST: z.string().min(1).default('127.0.0.1'),
    SANDBOX_DATA: z.string().optional(),
    SANDBOX_MEDIA: z.string().optional(),
    SANDBOX_SMTP_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
    STRIPE_WEBHOOK_URL: z
      .url({ protocol: /^https?$/ })
      .or(z.literal(''))
      .optional(),
    STRIPE_WEBHOOK_SECRET: z.string().min(1).optional(),
  })
  .safeParse(process.env)

if (!environment.success) {
  console.error(z.prettifyError(environment.error))
  process.exit(1)
}

const { data } = environment
const sandbox = await startSandbox({
  port: data.SANDBOX_PORT,
  host: data.HOST,
  dataFolder: data.SANDBOX_DATA || undefined,
  mediaFolder: data.SANDBOX_MEDIA || undefined,
  smtpPort: data.SANDBOX_SMTP_PORT,
  webhookUrl: data.STRIPE_WEBHOOK_URL || undefined,
  webhookSecret: data.STRIPE_WEBHOOK_SECRET,
}).catch((error: unknown) => {
  console.error(`The sandbox cannot start: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
})
console.log(`sandbox listening on ${sandbox.url}`)
console.log(`mail to ${sandbox.smtpUrl}`)

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void sandbox.close().then(() => process.exit(0)))
}
