import { Inject, Injectable } from '@nestjs/common'
import OpenAI from 'openai'
import { zodResponseFormat } from 'openai/helpers/zod'
import type {
  ChatCompletion,
  ChatCompletionCreateParamsNonStreaming,
} from 'openai/resources/chat/completions'
import * as z from 'zod'
import { CONFIG, type Config } from '../../platform/config/config.ts'
import { openAiFailure, VendorFailed } from '../../platform/outgoing/vendor-failed.ts'
import type { ModelQuestion } from './questions.ts'

/** `complaint`: what was wrong, in words for the model when it is asked again. */
export type ModelAnswer = { usable: true; value: unknown } | { usable: false; complaint: string }

/** The complaint travels through the workflow. */
const longestComplaint = 500

/** A language model on any server that speaks OpenAI's protocol. */
@Injectable()
export class LanguageModel {
  readonly #settings: Config['summaries']
  readonly #client: OpenAI | undefined

  constructor(@Inject(CONFIG) { summaries }: Config) {
    this.#settings = summaries
    this.#client =
      summaries &&
      new OpenAI({
        baseURL: summaries.baseUrl,
        apiKey: summaries.apiKey,
        // Ends with the headers of the answer: ours, which ends with its last byte, comes first.
        timeout: (summaries.timeoutSeconds + 5) * 1000,
        // The workflow tries again, so that each try is seen and bounded in one place.
        maxRetries: 0,
      })
  }

  /**
   * Asks one question once. `complaint` is what was wrong with the answer before.
   * @throws VendorFailed
   */
  async ask(question: ModelQuestion, complaint: string | null, signal: AbortSignal): Promise<ModelAnswer> {
    if (!this.#client || !this.#settings) throw new VendorFailed('No language model is set up here.', false)
    const tooLong = AbortSignal.timeout(this.#settings.timeoutSeconds * 1000)
    try {
      const completion = await this.#client.chat.completions.create(
        { ...messagesOf(question, complaint), model: this.#settings.model },
        { signal: AbortSignal.any([signal, tooLong]) },
      )
      return readAnswer(completion, question.schema)
    } catch (error) {
      if (tooLong.aborted && !signal.aborted)
        throw new VendorFailed('The language model took too long to answer.', true, undefined, {
          cause: error,
        })
      throw openAiFailure(error, { service: 'language model', refused: 'could not take this question' })
    }
  }
}

function messagesOf(
  { name, schema, system, user }: ModelQuestion,
  complaint: string | null,
): Omit<ChatCompletionCreateParamsNonStreaming, 'model'> {
  const format = zodResponseFormat(schema, name)
  const again = `Your answer before this one could not be used: ${complaint ?? ''} Answer again, in full.`
  return {
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
      ...(complaint === null ? [] : [{ role: 'user' as const, content: again }]),
    ],
    response_format: {
      type: 'json_schema',
      json_schema: { ...format.json_schema, schema: withoutLengths(format.json_schema.schema ?? {}) },
    },
  }
}

/** Not every model that keeps to a schema knows how long a string is; we look ourselves. */
function withoutLengths(schema: Record<string, unknown>): Record<string, unknown> {
  const hidden = new Set(['minLength', 'maxLength', '$schema'])
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (hidden.has(key) ? undefined : value)),
  ) as Record<string, unknown>
}

function readAnswer(completion: ChatCompletion, schema: z.ZodType): ModelAnswer {
  const unusable = (complaint: string): ModelAnswer => ({
    usable: false,
    complaint: complaint.slice(0, longestComplaint),
  })
  // A server that only resembles OpenAI may leave out what the types promise.
  const choice = (completion.choices as ChatCompletion.Choice[] | undefined)?.[0]
  const { content, refusal } = choice?.message ?? {}
  if (refusal) return unusable('You refused, but this is a recording that may be summarised.')
  if (choice?.finish_reason === 'length') return unusable('It was cut off. Be much shorter.')
  if (typeof content !== 'string' || content.trim() === '') return unusable('It was empty.')
  const json = readJson(content)
  if (json === undefined) return unusable('It was no JSON object.')
  const parsed = schema.safeParse(json)
  return parsed.success
    ? { usable: true, value: parsed.data }
    : unusable(`It does not have the shape that was asked for: ${z.prettifyError(parsed.error)}`)
}

/** The object in an answer; some models think aloud before it or put a fence around it. Undefined where there is none. */
function readJson(content: string): unknown {
  const said = content.replace(/^\s*<think>[\s\S]*?<\/think>/, '')
  const object = said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1)
  try {
    // What no database keeps as text is left out.
    return JSON.parse(object, (_, value: unknown) =>
      typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
    )
  } catch {
    return undefined
  }
}
