import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Message = { role: 'system' | 'user'; content: string }
export type Asked = {
  messages: Message[]
  model: string
  response_format: { json_schema: { name: string; strict: boolean; schema: Record<string, unknown> } }
}
export type Reply =
  | { content: string | null; finish?: string; refusal?: string }
  | { status: number; headers?: Record<string, string> }
  | 'hanging'
  /** Sends its headers and not a byte more. */
  | 'breaking off'

/** A language model at the vendor's wire whose answers a test dictates; what it was asked is in `asked`. */
export async function startScriptedModel() {
  const asked: Asked[] = []
  let script: (question: Asked) => Reply | Promise<Reply> = soundAnswer
  const server = createServer((request, response) => {
    const answer = async () => {
      let body = ''
      for await (const part of request) body += String(part)
      const question = JSON.parse(body) as Asked
      asked.push(question)
      const reply = await script(question)
      if (reply === 'hanging') return
      if (reply === 'breaking off') {
        response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
        return
      }
      if ('status' in reply) {
        response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
        response.end('{"error":{"message":"as the test says"}}')
        return
      }
      const message = { role: 'assistant', content: reply.content, refusal: reply.refusal ?? null }
      const choices = [{ index: 0, message, finish_reason: reply.finish ?? 'stop' }]
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ id: 'c', object: 'chat.completion', created: 0, model: 'm', choices }))
    }
    answer().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    /** Until it is said again. */
    answers(next: (question: Asked) => Reply | Promise<Reply>) {
      script = next
    },
    reset() {
      script = soundAnswer
      asked.length = 0
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The lines of the transcript that a question carries, or the quotes of the notes. */
export function materialOf({ messages }: Asked): string[] {
  const text = messages.map(({ content }) => content).join('\n')
  const transcript = /<transcript>\n([\s\S]*)\n<\/transcript>/.exec(text)?.[1]
  if (transcript !== undefined) return transcript.split('\n')
  const notes = /<notes>\n([\s\S]*)\n<\/notes>/.exec(text)?.[1] ?? ''
  return notes
    .split('\n')
    .flatMap((line) => (JSON.parse(line) as { points: { quote: string }[] }).points)
    .map(({ quote }) => quote)
}

/** An answer in the shape that is asked for; each of its quotes is a line of the material. */
export function soundAnswer(question: Asked): Reply {
  const { name, schema } = question.response_format.json_schema
  const { points } = schema.properties as { points?: { maxItems?: number } }
  return { content: JSON.stringify(shaped(name, materialOf(question).slice(0, points?.maxItems))) }
}

export function shaped(name: string, quotes: string[]): unknown {
  const points = quotes.slice(0, 20).map((quote, index) => ({ point: `Point ${index + 1}`, quote }))
  switch (name) {
    case 'smart_summary':
      return {
        title: 'A title',
        one_sentence_overview: 'An overview.',
        highlights: points,
        key_takeaways: ['A takeaway.'],
      }
    case 'action_plan': {
      const steps = points.map(({ point, quote }) => ({
        action: point,
        why_it_matters: 'It does.',
        details: 'Like this.',
        quote,
        mentioned_tools: null,
      }))
      return { title: 'A plan', next_steps: steps, overall_takeaway: 'Do it.' }
    }
    case 'thought_provoking':
      return {
        title: 'Questions',
        deep_questions: ['Why?'],
        rapid_fire_prompts: ['One word?'],
        contextual_insight: 'Because.',
      }
    default:
      return { points }
  }
}
