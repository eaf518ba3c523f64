import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type Sandbox, startSandbox } from '../server.ts'
import { rank } from './ranking.ts'
import { shapes, summaryOf } from './summaries.ts'

let sandbox: Sandbox
let openai: OpenAI
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 })
  openai = new OpenAI({ baseURL: `${sandbox.url}/openai/v1`, apiKey: 'any', maxRetries: 0 })
})
afterEach(() => fetch(`${sandbox.url}/control/faults`, { method: 'DELETE' }))
afterAll(() => sandbox.close())

const media = join(import.meta.dirname, '../../media')
const sampleSchema = z.object({ paragraphs: z.array(z.string()) })
const benches = sampleSchema.parse(
  JSON.parse(readFileSync(join(media, 'slow-cities/the-bench-test.json'), 'utf8')),
).paragraphs
const said = benches.join(' ')

const point = z.strictObject({ point: z.string().min(1), quote: z.string().nullable() })
const schemas = {
  smart_summary: z.strictObject({
    title: z.string().min(1),
    one_sentence_overview: z.string().min(1),
    highlights: z.array(point).min(3),
    key_takeaways: z.array(z.string().min(1)).min(2),
  }),
  action_plan: z.strictObject({
    title: z.string().min(1),
    next_steps: z
      .array(
        z.strictObject({
          action: z.string().min(1),
          why_it_matters: z.string().min(1),
          details: z.string().min(1),
          quote: z.string().nullable(),
          mentioned_tools: z.array(z.string()).nullable(),
        }),
      )
      .min(2),
    overall_takeaway: z.string().min(1),
  }),
  thought_provoking: z.strictObject({
    title: z.string().min(1),
    deep_questions: z.array(z.string().endsWith('?')).min(3),
    rapid_fire_prompts: z.array(z.string().min(1)).min(3),
    contextual_insight: z.string().min(1),
  }),
  transcript_notes: z.strictObject({ points: z.array(point).min(3) }),
}

type Options = { name: string; schema: z.ZodType; text: string }

async function ask({ name, schema, text }: Options): Promise<unknown> {
  const completion = await openai.chat.completions.create({
    model: 'sandbox-extractive',
    messages: [
      { role: 'system', content: 'Summarise what stands in <transcript> tags.' },
      { role: 'user', content: text },
    ],
    response_format: {
      type: 'json_schema',
      json_schema: { name, strict: true, schema: z.toJSONSchema(schema) },
    },
  })
  return JSON.parse(completion.choices[0]?.message.content ?? '')
}

function quotesOf(answer: unknown): string[] {
  const found = [...JSON.stringify(answer).matchAll(/"quote":("(?:[^"\\]|\\.)*")/g)]
  return found.map(([, quote = '""']) => String(JSON.parse(quote)))
}

const inTags = (lines: string[]) =>
  `Every bench on every street is the only bench, because a chair is never a street.\n<transcript>\n${lines.join('\n')}\n</transcript>\nAnswer in JSON.`

test.each(Object.entries(schemas))(
  'answers %s by its schema, with quotes that were said',
  async (name, schema) => {
    const answer = schema.parse(await ask({ name, schema, text: inTags(benches) }))
    const quotes = quotesOf(answer)
    if (name !== 'thought_provoking') expect(quotes.length).toBeGreaterThan(1)
    for (const quote of quotes) expect(said).toContain(quote)
    expect(await ask({ name, schema, text: inTags(benches) })).toEqual(answer)
  },
)

test('quotes the sample recordings letter for letter', () => {
  const files = readdirSync(media, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.json'),
  )
  expect(files.length).toBeGreaterThan(20)
  for (const file of files) {
    const { paragraphs } = sampleSchema.parse(JSON.parse(readFileSync(join(media, file), 'utf8')))
    const text = rank(paragraphs)
    for (const name of shapes) {
      const answer = summaryOf(name, text)
      for (const quote of quotesOf(answer)) expect(paragraphs.join(' '), file).toContain(quote)
    }
  }
})

test('answers only from the transcript, and leaves the marks before its lines out', async () => {
  const marked = benches.map((line, at) => `[${at + 1}] ${line}`)
  const plain = await ask({ name: 'smart_summary', schema: schemas.smart_summary, text: inTags(benches) })
  const answer = await ask({ name: 'smart_summary', schema: schemas.smart_summary, text: inTags(marked) })
  expect(answer).toEqual(plain)
  expect(JSON.stringify(answer)).not.toMatch(/Answer in JSON|Every bench on every street/)
})

test('quotes from notes what the notes quote', async () => {
  const { points } = schemas.transcript_notes.parse(
    await ask({ name: 'transcript_notes', schema: schemas.transcript_notes, text: inTags(benches) }),
  )
  const text = `<notes>${JSON.stringify({ points })}</notes>`
  const answer = await ask({ name: 'smart_summary', schema: schemas.smart_summary, text })
  for (const quote of quotesOf(answer)) expect(said).toContain(quote)
})

test('notes no more points than it was asked for', async () => {
  const schema = z.strictObject({ points: z.array(point).max(3) })
  const { points } = schema.parse(await ask({ name: 'transcript_notes', schema, text: inTags(benches) }))
  expect(points).toHaveLength(3)
})

test('meets any schema, nested as it may be', async () => {
  const schema = z.strictObject({
    title: z.string(),
    mood: z.enum(['calm', 'angry']),
    score: z.int().min(3).max(9),
    sections: z.array(
      z.strictObject({ heading: z.string(), lines: z.array(z.string()).min(2), isLong: z.boolean() }),
    ),
    author: z.string().nullable(),
  })
  const answer = await ask({ name: 'something_else', schema, text: inTags(benches) })
  expect(schema.safeParse(answer).error).toBeUndefined()
})

test.each([
  '',
  'Yes.',
  '   \n ',
  'um uh yeah '.repeat(200),
  '¿Qué hora es? Son las tres. '.repeat(5),
  '夜は暗い。星が見える。'.repeat(9),
  '夜'.repeat(9000),
])('meets the schema for the text %j too', async (text) => {
  const least = {
    smart_summary: schemas.smart_summary.extend({
      highlights: z.array(point).min(1),
      key_takeaways: z.array(z.string().min(1)).min(1),
    }),
    action_plan: schemas.action_plan.extend({
      next_steps: schemas.action_plan.shape.next_steps.element.array().min(1),
    }),
    thought_provoking: schemas.thought_provoking.extend({
      deep_questions: z.array(z.string().endsWith('?')).min(1),
      rapid_fire_prompts: z.array(z.string().min(1)).min(1),
    }),
  }
  for (const [name, schema] of Object.entries(least)) {
    expect(schema.safeParse(await ask({ name, schema, text: inTags([text]) })).error).toBeUndefined()
  }
})

test('streams what it would otherwise say at once', async () => {
  const request = {
    model: 'sandbox-extractive',
    messages: [{ role: 'user' as const, content: said }],
  }
  const whole = await openai.chat.completions.create(request)
  expect(whole.usage?.total_tokens).toBe(
    (whole.usage?.prompt_tokens ?? 0) + (whole.usage?.completion_tokens ?? 0),
  )
  let streamed = ''
  let usage
  const stream = await openai.chat.completions.create({
    ...request,
    stream: true,
    stream_options: { include_usage: true },
  })
  for await (const chunk of stream) {
    streamed += chunk.choices[0]?.delta.content ?? ''
    usage = chunk.usage ?? usage
  }
  expect(streamed).toBe(whole.choices[0]?.message.content)
  expect(usage).toEqual(whole.usage)
})

test('breaks off at the greatest length, and says so', async () => {
  const { choices } = await openai.chat.completions.create({
    model: 'sandbox-extractive',
    messages: [{ role: 'user', content: said }],
    max_completion_tokens: 5,
  })
  expect(choices[0]).toMatchObject({ finish_reason: 'length' })
})

test('lists its model', async () => {
  expect((await openai.models.list()).data).toMatchObject([{ id: 'sandbox-extractive', object: 'model' }])
  expect(await openai.models.retrieve('sandbox-extractive')).toMatchObject({ object: 'model' })
})

test.each<[string, object, object]>([
  ['another model', { model: 'gpt-5' }, { status: 404, code: 'model_not_found' }],
  ['no messages', { messages: [] }, { status: 400, param: 'messages' }],
  ['a role that is none', { messages: [{ role: 'crowd', content: 'x' }] }, { status: 400 }],
  ['a schema without name', { response_format: { type: 'json_schema', json_schema: {} } }, { status: 400 }],
])('refuses %s in OpenAI’s shape', async (_, change, expected) => {
  const request = {
    model: 'sandbox-extractive',
    messages: [{ role: 'user' as const, content: 'x' }],
    ...change,
  }
  await expect(openai.chat.completions.create(request)).rejects.toMatchObject({
    type: 'invalid_request_error',
    ...expected,
  })
})

test('asks for a key', async () => {
  const answer = await fetch(`${sandbox.url}/openai/v1/chat/completions`, { method: 'POST', body: '{}' })
  expect(answer.status).toBe(401)
  expect(await answer.json()).toMatchObject({ error: { code: 'invalid_api_key' } })
})

function misbehave(vendor: string, fault: object): Promise<Response> {
  return fetch(`${sandbox.url}/control/faults/${vendor}`, { method: 'PUT', body: JSON.stringify(fault) })
}

test('answers beside the schema as often as it is told', async () => {
  const question = { name: 'smart_summary', schema: schemas.smart_summary, text: inTags(benches) }
  await misbehave('language', { kind: 'invalidAnswer', count: 1 })
  expect(schemas.smart_summary.safeParse(await ask(question)).success).toBe(false)
  expect(schemas.smart_summary.safeParse(await ask(question)).success).toBe(true)
})

test('invents one quote when it is told to', async () => {
  await misbehave('language', { kind: 'inventedQuotes' })
  const answer = await ask({ name: 'action_plan', schema: schemas.action_plan, text: inTags(benches) })
  expect(schemas.action_plan.safeParse(answer).success).toBe(true)
  expect(quotesOf(answer).filter((quote) => !said.includes(quote))).toHaveLength(1)
})

test('keeps faults that only a language model has from the others', async () => {
  expect((await misbehave('feeds', { kind: 'invalidAnswer' })).status).toBe(422)
})
