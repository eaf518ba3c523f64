import { randomUUID } from 'node:crypto'
import { expect, vi } from 'vitest'
import { readCreditEvent } from '../src/credits/credit-event.schema.ts'
import { accountStream } from '../src/credits/ledger.ts'
import { EventStore } from '../src/platform/event-store/event-store.ts'
import { DATABASE, type Database } from '../src/platform/postgres/postgres.module.ts'
import { startApp } from './app.ts'
import { interruptible } from './database-outage.ts'
import { type Activity, prepareJobs } from './jobs.ts'
import { startScriptedModel } from './scripted-model.ts'

export const spoken = [
  'The lighthouse keeper kept two logs, and nobody asked him why.',
  'One was for the harbour office — it said what the weather did.',
  "The other was for himself; he didn't show it to anyone.",
  'On the third of March the two logs disagree about the fog.',
  'Write down what you saw before you write down what it means.',
]

/** In credits. */
export const price = 0.05

/** Lines that are all different, of nine words each. */
export function longText(words: number): string[] {
  return Array.from({ length: words / 9 }, (_, at) => `Line ${at} of what was said on that evening.`)
}

type Around = (name: string, activity: Activity) => Activity
type Transcribed = {
  database?: Database
  status?: 'pending' | 'processing' | 'failed' | 'refused'
  text?: null
}
export type Summaries = Awaited<ReturnType<typeof startSummaries>>

/** The application, a worker and a scripted model; the worker's way to the database can be cut. */
export async function startSummaries(namespace: string) {
  const model = await startScriptedModel()
  const app = await startApp({
    TEMPORAL_NAMESPACE: namespace,
    SUMMARY_BASE_URL: model.url,
    SUMMARY_MODEL: 'scripted',
    SUMMARY_TIMEOUT_SECONDS: '2',
    SUMMARY_PART_WORDS: '1000',
    VENDOR_ATTEMPTS: '2',
  })
  const way = await interruptible(app.config.database.url)
  const jobs = await prepareJobs({ ...app.config, database: { ...app.config.database, url: way.url } })
  const database = app.app.get<Database>(DATABASE)
  let running: 'plainly' | 'otherwise' | undefined

  async function stopWorking() {
    running = undefined
    await jobs.stop()
  }

  async function until(token: string, id: string, reached: (summary: { status: string }) => boolean) {
    for (;;) {
      const { body } = await app.call('GET', `/summaries/${id}`, { token })
      if (reached(body)) return body
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
  }

  async function eventsOf(userId: string) {
    const events = await app.app.get(EventStore).readStream(accountStream(userId))
    return events.map(readCreditEvent)
  }

  return {
    app,
    database,
    jobs,
    model,
    way,

    /** Has a worker do the jobs; `around` wraps each activity. One that works plainly already goes on. */
    async work(around?: Around) {
      if (running === 'plainly' && around === undefined) return
      await stopWorking()
      await jobs.start(around)
      running = around === undefined ? 'plainly' : 'otherwise'
    },

    stopWorking,

    async transcribed(
      userId: string,
      lines = spoken,
      { database: target = database, ...other }: Transcribed = {},
    ): Promise<string> {
      const id = randomUUID()
      const text = lines.join(' ')
      await target
        .insertInto('transcripts')
        .values({
          id,
          user_id: userId,
          episode_id: `episode ${id}`,
          episode_title: 'Two logs',
          audio_url: 'https://audio.example.org/a.mp3',
          status: 'completed',
          text,
          segments: JSON.stringify(
            lines.map((line, at) => ({ start_seconds: at, end_seconds: at + 1, text: line })),
          ),
          word_count: text.split(/\s+/).length,
          request_id: randomUUID(),
          ...other,
        })
        .execute()
      return id
    },

    post: (token: string, transcriptId: string, type: string) =>
      app.call('POST', '/summaries', { token, body: { transcript_id: transcriptId, summary_type: type } }),

    until,

    ended: (token: string, id: string) =>
      until(token, id, ({ status }) => status === 'completed' || status === 'failed'),

    untilAsked: (times: number) =>
      vi.waitFor(() => expect(model.asked.length).toBeGreaterThanOrEqual(times), { timeout: 20_000 }),

    /** In credits: of the ledger's events, of its last event and of the API alike. */
    async balance(user: { id: string; token: string }): Promise<number> {
      const events = await eventsOf(user.id)
      const sum = events.reduce((total, event) => {
        if (event.type === 'DeductionVoided') return total
        if (event.type === 'CreditsAdjusted') return total + event.signedAmountMicrocredits
        return total + (event.type === 'CreditsDeducted' ? -1 : 1) * event.amountMicrocredits
      }, 0)
      expect(events.at(-1)?.balanceAfterMicrocredits).toBe(sum)
      const { body } = await app.call('GET', '/credits/balance', { token: user.token })
      expect(body).toEqual({ balance: sum / 1_000_000 })
      return body.balance as number
    },

    eventsOf,

    async kindsOf(userId: string): Promise<string[]> {
      return (await eventsOf(userId)).map(({ type }) => type)
    },

    async close() {
      await jobs.close()
      await way.interrupt()
      await app.close()
      await model.close()
    },
  }
}
