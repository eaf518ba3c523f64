import { createHash } from 'node:crypto'
import { readText } from '../http/body.ts'
import { json, type Reply, text } from '../http/reply.ts'
import type { Vendor, VendorRequest } from '../vendor.ts'
import { type CompletionRequest, completionRequestSchema } from './completion-request.ts'
import { overviewOf, titleOf } from './essence.ts'
import { type Ranked, rank } from './ranking.ts'
import { cutTo, fill } from './schema-filler.ts'
import { sourceLines } from './source-text.ts'
import { shapes, summaryOf } from './summaries.ts'

const model = 'sandbox-extractive'
const greatestBodyBytes = 20_000_000
const inventedQuote = 'As nobody in this recording ever said, the moon is a very quiet neighbour.'

/**
 * OpenAI's `POST /v1/chat/completions` (https://platform.openai.com/docs/api-reference/chat) with a model that takes
 * its answers out of the text that it was sent. The base address for a client is `<sandbox>/openai/v1`, any key will do.
 */
export function language(): Vendor {
  return {
    name: 'language',
    title: 'Language model',
    description: `OpenAI's chat completions with JSON schemas. Its one model, ${model}, summarises by what was said.`,
    paths: ['/openai/v1/chat/', '/openai/v1/models'],
    methods: ['GET', 'POST'],
    failure: (status, message) => refusal(status, message),
    answer,
  }
}

async function answer(request: VendorRequest): Promise<Reply> {
  const { method, url, headers } = request
  if (!/^Bearer \S/.test(headers.authorization ?? '')) {
    return refusal(401, "You didn't provide an API key.", { code: 'invalid_api_key' })
  }
  if (method === 'GET' && url.pathname === '/openai/v1/models')
    return json(200, { object: 'list', data: [modelObject] })
  if (method === 'GET' && url.pathname.startsWith('/openai/v1/models/')) {
    return url.pathname.endsWith(`/${model}`)
      ? json(200, modelObject)
      : noSuchModel(url.pathname.split('/').at(-1) ?? '')
  }
  if (method !== 'POST' || url.pathname !== '/openai/v1/chat/completions') {
    return refusal(404, `Invalid URL (${method} ${url.pathname.slice('/openai'.length)})`)
  }
  const body = await readText(request.body, greatestBodyBytes)
  if (body === undefined) return refusal(413, 'The request is too large.')
  return complete(body, request.fault?.kind)
}

const modelObject = { id: model, object: 'model', created: 1_790_000_000, owned_by: 'sandbox' }

function complete(body: string, fault: string | undefined): Reply {
  let sent: unknown
  try {
    sent = JSON.parse(body)
  } catch {
    return refusal(400, 'We could not parse the JSON body of your request.')
  }
  const parsed = completionRequestSchema.safeParse(sent)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const param = (issue?.path ?? []).join('.')
    return refusal(400, `Invalid value for '${param}': ${issue?.message ?? ''}`, {
      param,
      code: 'invalid_value',
    })
  }
  const request = parsed.data
  if (request.model !== model) return noSuchModel(request.model)
  const whole = misbehaved(contentFor(request), request, fault)
  const completion = completionOf(request, whole, body)
  return request.stream
    ? streamed(request, completion)
    : json(200, completion, { 'x-request-id': completion.id })
}

function contentFor({ messages, response_format: format }: CompletionRequest): string {
  const ranked = rank(sourceLines(messages))
  if (format?.type === 'json_object') return JSON.stringify(summaryOf('smart_summary', ranked))
  if (format?.type !== 'json_schema') return `${titleOf(ranked)}\n\n${overviewOf(ranked)}`
  return JSON.stringify(shaped(format.json_schema.name, format.json_schema.schema, ranked))
}

function shaped(name: string, schema: unknown, ranked: Ranked): unknown {
  const shape = shapes.find((known) => known === name)
  return shape ? cutTo(schema, summaryOf(shape, ranked)) : fill(schema, ranked)
}

/** Answers as a model does on a bad day: beside the schema, or with words that nobody said. */
function misbehaved(
  content: string,
  { response_format: format }: CompletionRequest,
  fault: string | undefined,
): string {
  if (fault === 'invalidAnswer') return JSON.stringify({ title: 42, unexpected: format?.type ?? 'text' })
  if (fault !== 'inventedQuotes') return content
  let isDone = false
  return content.replace(/"quote":(?:"(?:[^"\\]|\\.)*"|null)/g, (quote) => {
    if (isDone) return quote
    isDone = true
    return `"quote":${JSON.stringify(inventedQuote)}`
  })
}

type Completion = {
  id: string
  object: 'chat.completion'
  created: number
  model: string
  choices: {
    index: 0
    message: { role: 'assistant'; content: string; refusal: null; annotations: [] }
    logprobs: null
    finish_reason: 'stop' | 'length'
  }[]
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number }
  service_tier: 'default'
  system_fingerprint: string
}

function completionOf(request: CompletionRequest, whole: string, body: string): Completion {
  const greatest = request.max_completion_tokens ?? request.max_tokens ?? Infinity
  const isCut = tokensOf(whole) > greatest
  const content = isCut ? whole.slice(0, greatest * charactersPerToken) : whole
  const prompt =
    tokensOf(request.messages.map(({ content: said }) => said).join('\n')) + 4 * request.messages.length
  const completion = tokensOf(content)
  return {
    id: `chatcmpl-${createHash('sha256').update(body).digest('base64url').slice(0, 29)}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: null, annotations: [] },
        logprobs: null,
        finish_reason: isCut ? 'length' : 'stop',
      },
    ],
    usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
    service_tier: 'default',
    system_fingerprint: 'fp_sandbox',
  }
}

const charactersPerToken = 4

function tokensOf(said: string): number {
  return Math.ceil(said.length / charactersPerToken)
}

/** Server-sent events, some words in each, as OpenAI streams. */
function streamed({ stream_options: options }: CompletionRequest, completion: Completion): Reply {
  const { id, created, choices, usage, service_tier, system_fingerprint } = completion
  const [choice] = choices
  const common = { id, object: 'chat.completion.chunk', created, model, service_tier, system_fingerprint }
  const chunk = (delta: object, finish: string | null = null) => ({
    ...common,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...(options?.include_usage && { usage: null }),
  })
  const pieces = choice?.message.content.match(/[\s\S]{1,24}/g) ?? []
  const events = [
    chunk({ role: 'assistant', content: '', refusal: null }),
    ...pieces.map((content) => chunk({ content })),
    chunk({}, choice?.finish_reason ?? 'stop'),
    ...(options?.include_usage ? [{ ...common, choices: [], usage }] : []),
  ]
  const lines = [...events.map((event) => JSON.stringify(event)), '[DONE]']
  return text(200, lines.map((line) => `data: ${line}\n\n`).join(''), 'text/event-stream; charset=utf-8')
}

function noSuchModel(name: string): Reply {
  return refusal(404, `The model \`${name}\` does not exist or you do not have access to it.`, {
    code: 'model_not_found',
  })
}

function refusal(
  status: number,
  message: string,
  { param, code }: { param?: string; code?: string } = {},
): Reply {
  const type = status >= 500 ? 'server_error' : status === 429 ? 'rate_limit_error' : 'invalid_request_error'
  return json(status, { error: { message, type, param: param ?? null, code: code ?? null } })
}
