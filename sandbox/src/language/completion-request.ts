import { z } from 'zod'

const partSchema = z.looseObject({ type: z.string(), text: z.string().optional() })
const contentSchema = z
  .union([z.string(), z.array(partSchema)])
  .nullish()
  .transform((content) =>
    typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('\n'),
  )

/** What is read of a chat completion request; the many other settings change nothing here. */
export const completionRequestSchema = z.looseObject({
  model: z.string().min(1),
  messages: z
    .array(
      z.looseObject({
        role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
        content: contentSchema,
      }),
    )
    .min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  max_tokens: z.int().positive().nullish(),
  max_completion_tokens: z.int().positive().nullish(),
  response_format: z
    .discriminatedUnion('type', [
      z.looseObject({ type: z.literal('text') }),
      z.looseObject({ type: z.literal('json_object') }),
      z.looseObject({
        type: z.literal('json_schema'),
        json_schema: z.looseObject({
          name: z.string().regex(/^[\w-]{1,64}$/),
          schema: z.record(z.string(), z.unknown()).optional(),
        }),
      }),
    ])
    .nullish(),
})

export type CompletionRequest = z.infer<typeof completionRequestSchema>
