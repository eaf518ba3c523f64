import * as z from 'zod'
import { accountRoute } from './route.ts'
import { summaryTypeSchema } from './summary-content.ts'

export const summaryStatusSchema = z.enum(['pending', 'processing', 'completed', 'failed'])
export type SummaryStatus = z.infer<typeof summaryStatusSchema>

export const summarySchema = z.object({
  id: z.uuid(),
  transcript_id: z.uuid(),
  summary_type: summaryTypeSchema,
  status: summaryStatusSchema,
  progress_percent: z.int().min(0).max(100).nullable(),
  error_message: z.string().nullable().describe('Why it failed; what it is doing while it is processed'),
  content: z.string().nullable().describe('JSON, in the shape of its type, once it is completed'),
  created_at: z.iso.datetime(),
})
export type Summary = z.infer<typeof summarySchema>

export const summariesContract = {
  create: accountRoute
    .route({
      method: 'POST',
      path: '/summaries',
      tags: ['Summaries'],
      summary: 'Summarise a completed transcript',
      description:
        'Deducts 0.05 credits, then starts. Where this transcript has one of this type that runs or is completed, that one ' +
        'is answered, with a message, and nothing is charged. 402 says what is required and what is available.',
    })
    .input(z.object({ transcript_id: z.uuid(), summary_type: summaryTypeSchema }))
    .output(summarySchema.extend({ message: z.string().optional() })),

  get: accountRoute
    .route({ method: 'GET', path: '/summaries/{id}', tags: ['Summaries'], summary: 'One summary' })
    .input(z.object({ id: z.uuid() }))
    .output(summarySchema),

  ofTranscript: accountRoute
    .route({
      method: 'GET',
      path: '/transcripts/{id}/summaries',
      tags: ['Summaries'],
      summary: 'The summaries of a transcript, the newest of each type',
    })
    .input(z.object({ id: z.uuid() }))
    .output(z.object({ summaries: z.array(summarySchema) })),
}
