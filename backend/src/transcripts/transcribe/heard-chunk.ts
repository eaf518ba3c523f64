import * as z from 'zod'

/** What a provider heard in one chunk. Times are seconds from the start of the whole audio. */
export const heardChunkSchema = z.object({
  startSeconds: z.number(),
  endSeconds: z.number(),
  segments: z.array(z.object({ startSeconds: z.number(), endSeconds: z.number(), text: z.string() })),
  /** Some providers give none, or give them without punctuation: the text is the segments', the words lend their times. */
  words: z.array(z.object({ startSeconds: z.number(), text: z.string() })),
})

export type HeardChunk = z.infer<typeof heardChunkSchema>

/** How much of its end a chunk shares with the next one, so that no word is cut in two unheard. */
export const overlapSeconds = 5
