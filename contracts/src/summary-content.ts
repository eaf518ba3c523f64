import * as z from 'zod'
import { summaryTypes } from './summary-names.ts'

export const summaryTypeSchema = z.enum(summaryTypes)
export type SummaryType = z.infer<typeof summaryTypeSchema>

const sentence = z.string().trim().min(1).max(2000)
/** Words of the transcript, found there by our own code; null where nothing fits. */
const quote = sentence.nullable()

export const smartSummarySchema = z.object({
  title: sentence,
  one_sentence_overview: sentence,
  highlights: z
    .array(z.object({ point: sentence, quote }))
    .min(1)
    .max(20),
  key_takeaways: z.array(sentence).min(1).max(20),
})
export type SmartSummary = z.infer<typeof smartSummarySchema>

export const actionPlanSchema = z.object({
  title: sentence,
  next_steps: z
    .array(
      z.object({
        action: sentence,
        why_it_matters: sentence,
        details: sentence,
        quote,
        mentioned_tools: z.array(sentence).max(20).nullable(),
      }),
    )
    .min(1)
    .max(20),
  overall_takeaway: sentence,
})
export type ActionPlan = z.infer<typeof actionPlanSchema>

export const thoughtProvokingSchema = z.object({
  title: sentence,
  deep_questions: z.array(sentence).min(1).max(20),
  rapid_fire_prompts: z.array(sentence).min(1).max(20),
  contextual_insight: sentence,
})
export type ThoughtProvoking = z.infer<typeof thoughtProvokingSchema>

/** What `content` of a completed summary holds, by its type. */
export const summaryContentSchemas = {
  smart_summary: smartSummarySchema,
  action_plan: actionPlanSchema,
  thought_provoking: thoughtProvokingSchema,
} as const satisfies Record<SummaryType, z.ZodType>
