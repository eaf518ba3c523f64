import * as z from 'zod'
import { accountRoute } from './route.ts'

export const transcriptStatusSchema = z.enum(['pending', 'processing', 'completed', 'failed'])
export type TranscriptStatus = z.infer<typeof transcriptStatusSchema>

export const segmentSchema = z.object({
  start_seconds: z.number().nonnegative(),
  end_seconds: z.number().nonnegative(),
  text: z.string(),
})
export type Segment = z.infer<typeof segmentSchema>

/** A transcript as lists show it: without its text. */
export const transcriptSummarySchema = z.object({
  id: z.uuid(),
  episode_id: z.string(),
  episode_title: z.string().nullable(),
  podcast_title: z.string().nullable(),
  audio_url: z.string(),
  duration_seconds: z.int().nonnegative().nullable().describe("The audio's real length once it is known"),
  status: transcriptStatusSchema,
  error_message: z.string().nullable().describe('Why it failed; what it is doing while it is processed'),
  word_count: z.int().nonnegative().nullable(),
  tags: z.array(z.string()),
  is_archived: z.boolean(),
  created_at: z.iso.datetime(),
  summary_count: z.int().nonnegative(),
})
export type TranscriptSummary = z.infer<typeof transcriptSummarySchema>

export const transcriptSchema = transcriptSummarySchema.extend({
  text: z.string().nullable(),
  segments: z.array(segmentSchema).describe('The text in order, each part with its time in the audio'),
  progress_percent: z.int().min(0).max(100).nullable(),
  charged_credits: z.number().nullable().describe('What it costs so far: the deduction less what came back'),
})
export type Transcript = z.infer<typeof transcriptSchema>

const oneTranscript = { input: z.object({ id: z.uuid() }), output: transcriptSchema }

/** A user's transcriptions that may run at the same time (spec section 9). */
export const concurrentTranscriptionLimit = 2

export const transcriptsContract = {
  create: accountRoute
    .route({
      method: 'POST',
      path: '/transcripts',
      tags: ['Transcripts'],
      summary: "Transcribe an episode's audio",
      description:
        'Deducts 0.01 credits for each started minute, then starts. Answers the transcript of this episode that runs or is ' +
        'completed where there is one. 402 says what is required and what is available; 429 says that two run already.',
    })
    .input(
      z.object({
        episode_id: z.string().min(1).max(200),
        audio_url: z
          .url({ protocol: /^https?$/, error: 'No audio URL available for this episode' })
          .max(4096),
        episode_title: z.string().max(1000).optional(),
        podcast_title: z.string().max(1000).optional(),
        duration_seconds: z.number().nonnegative().max(1_000_000).nullish(),
      }),
    )
    .output(transcriptSchema),

  get: accountRoute
    .route({ method: 'GET', path: '/transcripts/{id}', tags: ['Transcripts'], summary: 'One transcript' })
    .input(oneTranscript.input)
    .output(oneTranscript.output),

  getSaved: accountRoute
    .route({
      method: 'GET',
      path: '/api/transcripts/{id}',
      tags: ['Transcripts'],
      summary: 'One transcript, by the path of the saved transcripts',
    })
    .input(oneTranscript.input)
    .output(oneTranscript.output),

  list: accountRoute
    .route({
      method: 'GET',
      path: '/api/transcripts',
      tags: ['Transcripts'],
      summary: 'My transcripts, newest first',
    })
    .input(
      z.object({
        page: z.coerce.number<number>().int().min(1).max(100_000).default(1),
        limit: z.coerce.number<number>().int().min(1).max(100).default(20),
        archived: z.enum(['true', 'false']).optional(),
        search: z.string().trim().max(200).optional(),
        tags: z.string().trim().max(1000).optional().describe('Separated by commas; each must be there'),
        episode_id: z.string().max(200).optional(),
      }),
    )
    .output(z.object({ transcripts: z.array(transcriptSummarySchema), total: z.int() })),
}
