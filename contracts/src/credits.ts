import * as z from 'zod'
import { accountRoute, publicRoute } from './route.ts'
import { summaryTypeSchema } from './summary-content.ts'

export const operationTypeSchema = z.enum(['transcription', 'summary'])
export type OperationType = z.infer<typeof operationTypeSchema>

const operation = z.object({
  operation_type: operationTypeSchema,
  duration_seconds: z.number().nonnegative().max(1_000_000).optional(),
  word_count: z.int().nonnegative().optional(),
  summary_type: summaryTypeSchema.optional(),
})

export const transactionSchema = z.object({
  id: z.string(),
  transaction_type: z.enum(['deduct', 'add', 'refund']),
  operation_type: z.string().describe('transcription, summary, purchase, grant, adjustment or reversal'),
  amount: z.number().describe('Credits, never negative: transaction_type gives the sign'),
  balance_after: z.number(),
  description: z.string(),
  created_at: z.iso.datetime(),
  metadata: z.object({
    episode_title: z.string().optional(),
    word_count: z.int().optional(),
    estimated_duration: z.number().optional().describe('Seconds'),
    transcript_id: z.string().optional(),
    summary_type: summaryTypeSchema.optional(),
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

export const spendingDaySchema = z.object({
  date: z.iso.date(),
  spent: z
    .number()
    .nonnegative()
    .describe('Credits taken on this day, less what of them came back, whenever that was'),
})
export type SpendingDay = z.infer<typeof spendingDaySchema>

export const statementLineSchema = z.object({
  at: z.iso.datetime(),
  operation_id: z.string(),
  transaction_type: z.enum(['deduct', 'add', 'refund']),
  operation_type: z.string(),
  description: z.string(),
  amount: z.number().describe('Credits, signed'),
  balance_after: z.number(),
  owed_after: z.number().describe('What a reversal could not take, for it was spent already'),
})
export type StatementLine = z.infer<typeof statementLineSchema>

/** It adds up: opening_balance - opening_owed + every amount = closing_balance - closing_owed. */
export const statementSchema = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  opening_balance: z.number(),
  opening_owed: z.number().describe('What was owed already; the lines add up from opening_balance less this'),
  lines: z.array(statementLineSchema).describe('Oldest first'),
  closing_balance: z.number(),
  closing_owed: z.number().describe('What is owed in the end; the lines add up to closing_balance less this'),
})
export type Statement = z.infer<typeof statementSchema>

/** ISO 8601: an instant, or a day, which begins at midnight UTC. The answer repeats it in UTC, where a year has four digits. */
export const instantSchema = z
  .union(
    [z.iso.datetime({ offset: true }), z.iso.date()],
    'This is no date, such as 2026-11-21 or 2026-11-21T12:00:00Z',
  )
  .refine((text) => {
    const atMs = Date.parse(text)
    return Date.parse('0000-01-01') <= atMs && atMs <= Date.parse('9999-12-31T23:59:59.999Z')
  }, 'This lies outside the years 0000 to 9999 in UTC')

export const creditsContract = {
  balance: accountRoute
    .route({ method: 'GET', path: '/credits/balance', tags: ['Credits'], summary: 'The balance now' })
    .output(
      z.object({
        balance: z.number().describe('Credits, never below zero'),
        owed: z
          .number()
          .positive()
          .optional()
          .describe(
            'Only while something is owed: a purchase was taken back after it was spent. What comes in settles this first; until then the balance is zero.',
          ),
      }),
    ),

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
        missing_credits: z
          .number()
          .describe('What must come in first: what the balance lacks, and what is owed'),
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

  statement: accountRoute
    .route({
      method: 'GET',
      path: '/credits/statement',
      tags: ['Credits'],
      summary: 'What happened in a period, with the balance and what was owed before and after it',
      description:
        'From the first instant on, before the second, which cannot be the earlier one. `csv` answers the same as a file for spreadsheets.',
    })
    .input(
      z
        .object({
          from: instantSchema,
          to: instantSchema,
          format: z.enum(['json', 'csv']).default('json'),
        })
        .refine(({ from, to }) => Date.parse(from) <= Date.parse(to), {
          path: ['to'],
          error: 'A period cannot end before it begins',
        }),
    )
    .output(z.union([statementSchema, z.file()])),

  spending: accountRoute
    .route({
      method: 'GET',
      path: '/credits/spending',
      tags: ['Credits'],
      summary: 'What was spent on each of the last days, oldest first, today included',
    })
    .input(
      z.object({
        days: z.coerce.number<number>().int().min(1).max(366).default(30),
        time_zone: z
          .string()
          .max(100)
          .refine(isTimeZone, 'This is no time zone, such as Europe/Lisbon')
          .default('UTC'),
      }),
    )
    .output(z.object({ days: z.array(spendingDaySchema) })),

  pricing: publicRoute
    .route({
      method: 'GET',
      path: '/credits/pricing',
      tags: ['Credits'],
      summary: 'What each operation costs',
    })
    .output(z.object({ pricing: z.array(pricingEntrySchema) })),
}

/** By its place, as browsers say it: shorter names and offsets mean one thing here and another to PostgreSQL. */
function isTimeZone(name: string): boolean {
  if (name === 'UTC') return true
  if (!/^[A-Z][A-Za-z]+\/[\w/+-]+$/.test(name) || name.startsWith('SystemV/')) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
