import * as z from 'zod'
import { publicRoute } from './route.ts'

const part = z.object({ name: z.string(), ready: z.boolean(), reason: z.string().optional() })

export const healthContract = {
  live: publicRoute
    .route({ method: 'GET', path: '/health/live', tags: ['Health'], summary: 'Whether the process answers' })
    .output(z.object({ status: z.literal('ok') })),

  ready: publicRoute
    .route({
      method: 'GET',
      path: '/health/ready',
      tags: ['Health'],
      summary: 'Whether every part can be used; 503 names the parts that cannot',
    })
    .output(z.object({ status: z.literal('ready'), parts: z.array(part) })),
}
