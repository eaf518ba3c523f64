import * as z from 'zod'
import { accountRoute, publicRoute } from './route.ts'

export const operationTypeSchema = z.enum(['transcription', 'summary'])
export type OperationType = z.infer<typeof operationTypeSchema>

const operation = z.object({
  operation_type: operationTypeSchema,
  duration_seconds: z.number().nonnegative().max(1_000_000).optional(),
  word_count: z.int().nonnegative().optional(),
  summary_type: z.enum(['smart_summary', 'action_plan', 'thought_provoking']).optional(),
})

export const transactionSchema = z.object({
  id: z.string(),
  transaction_type: z.enum(['deduct', 'add', 'refund']),
  operation_type: z.string(),
  amount: z.number().describe('Credits, never negative: transaction_type gives the sign'),
  balance_after: z.number(),
  description: z.string(),
  created_at: z.iso.datetime(),
  metadata: z.object({
    episode_title: z.string().optional(),
    word_count: z.int().optional(),
    estimated_duration: z.number().optional().describe('Seconds'),
    transcript_id: z.string().optional(),
  }),
})
export type Transaction = z.infer<typeof transactionSchema>

export const pricingEntrySchema = z.object({
  operation_type: operationTypeSchema,
  credits: z.number(),
  unit: z.enum(['started_minute', 'summary']),
  description: z.string(),
})
export type PricingEntry = z.infer<typeof pricingEntrySchema>

export const costEstimateSchema = z.object({
  operation_type: operationTypeSchema,
  estimated_cost: z.number(),
  factors: operation.omit({ operation_type: true }),
})
export type CostEstimate = z.infer<typeof costEstimateSchema>

export const creditsContract = {
  balance: accountRoute
    .route({ method: 'GET', path: '/credits/balance', tags: ['Credits'], summary: 'The balance now' })
    .output(z.object({ balance: z.number() })),

  estimate: accountRoute
    .route({
      method: 'POST',
      path: '/credits/estimate',
      tags: ['Credits'],
      summary: 'What an operation would cost',
    })
    .input(operation)
    .output(costEstimateSchema),

  checkSufficient: accountRoute
    .route({
      method: 'POST',
      path: '/credits/check-sufficient',
      tags: ['Credits'],
      summary: 'Whether the balance covers an operation',
    })
    .input(operation)
    .output(
      z.object({
        sufficient: z.boolean(),
        required_credits: z.number(),
        available_credits: z.number(),
        missing_credits: z.number(),
      }),
    ),

  transactions: accountRoute
    .route({
      method: 'GET',
      path: '/credits/transactions',
      tags: ['Credits'],
      summary: 'Credit history, newest first',
    })
    .input(
      z.object({
        limit: z.coerce.number<number>().int().min(1).max(100).default(20),
        offset: z.coerce.number<number>().int().min(0).max(1_000_000).default(0),
      }),
    )
    .output(z.object({ transactions: z.array(transactionSchema), has_more: z.boolean() })),

  pricing: publicRoute
    .route({
      method: 'GET',
      path: '/credits/pricing',
      tags: ['Credits'],
      summary: 'What each operation costs',
    })
    .output(z.object({ pricing: z.array(pricingEntrySchema) })),
}
