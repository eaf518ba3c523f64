import { readFile } from 'node:fs/promises'
import path from 'node:path'
import {
  actionPlanSchema,
  smartSummarySchema,
  summaryContentSchemas,
} from '@earmark/contracts/summary-content'
import { summaryTypes } from '@earmark/contracts/summary-names'
import { progressQuery } from '@earmark/contracts/workflows'
import { type Sandbox, startSandbox } from '@earmark/sandbox/server'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { everythingTwice } from '../../../test/jobs.ts'
import { type Asked, materialOf, type Reply, shaped, soundAnswer } from '../../../test/scripted-model.ts'
import { namespaces } from '../../../test/servers.ts'
import { longText, price, spoken, startSummaries, type Summaries } from '../../../test/summaries.ts'
import { SummaryRecords } from './summary-records.ts'
import { mostParts } from './transcript-parts.ts'

describe('the making of a summary, on real Temporal and PostgreSQL', () => {
  let summaries: Summaries
  let app: Summaries['app']
  let jobs: Summaries['jobs']
  let model: Summaries['model']
  let sandbox: Sandbox

  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0 })
    summaries = await startSummaries(namespaces.summaries)
    ;({ app, jobs, model } = summaries)
  })

  afterEach(() => model.reset())

  afterAll(async () => {
    await summaries.close()
    await sandbox.close()
  })

  it.each(summaryTypes)('charges and writes a %s in its shape', async (type) => {
    await summaries.work()
    const user = await app.signUp(1)
    const transcriptId = await summaries.transcribed(user.id)
    const created = await summaries.post(user.token, transcriptId, type)
    expect(created).toMatchObject({
      status: 200,
      body: { transcript_id: transcriptId, summary_type: type, content: null },
    })
    expect(created.body.message).toBeUndefined()
    const summary = await summaries.ended(user.token, created.body.id)

    expect(summary).toMatchObject({ status: 'completed', progress_percent: 100, error_message: null })
    summaryContentSchemas[type].parse(JSON.parse(summary.content))
    expect(await summaries.balance(user)).toBe(1 - price)
    expect(await summaries.eventsOf(user.id)).toMatchObject([
      { type: 'CreditsGranted' },
      {
        type: 'CreditsDeducted',
        operationId: summary.id,
        operationType: 'summary',
        amountMicrocredits: 50_000,
        note: { transcriptId, summaryType: type, episodeTitle: 'Two logs', wordCount: 59 },
      },
    ])
    expect(model.asked.map(({ response_format }) => response_format.json_schema.name)).toEqual([type])
    expect(model.asked[0]?.model).toBe('scripted')
    expect(materialOf(model.asked[0] ?? fail('nothing was asked'))).toEqual(spoken)
    await jobs.keepHistory('summarise-transcript.success', summary.id)
  })

  it('has the sandbox write each type from the parts of real recordings', async () => {
    await summaries.work()
    const user = await app.signUp(1)
    model.answers(async (question) => {
      const response = await fetch(`${sandbox.url}/openai/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer any' },
        body: JSON.stringify({ ...question, model: 'sandbox-extractive' }),
      })
      expect(response.status).toBe(200)
      const { choices } = (await response.json()) as { choices: { message: { content: string } }[] }
      return { content: choices[0]?.message.content ?? null }
    })
    const lines = await recordings()
    const transcriptId = await summaries.transcribed(user.id, lines)
    const write = async (type: string) => {
      const summary = await summaries.ended(
        user.token,
        (await summaries.post(user.token, transcriptId, type)).body.id,
      )
      expect(summary.status).toBe('completed')
      const quotes = [...(summary.content as string).matchAll(/"quote":("(?:[^"\\\\]|\\\\.)*"|null)/g)].map(
        ([, quote = '']) => JSON.parse(quote) as string | null,
      )
      for (const quote of quotes) expect(lines.join(' ')).toContain(quote)
      if (type !== 'thought_provoking') expect(quotes.length).toBeGreaterThan(1)
    }
    await Promise.all(summaryTypes.map(write))
    expect(model.asked).toHaveLength(9)
  })

  it('comes to the same end when each activity runs twice, and asks nothing again that was answered', async () => {
    await summaries.work(everythingTwice(['reportSummaryProgress']))
    const user = await app.signUp(1)
    const created = await summaries.post(
      user.token,
      await summaries.transcribed(user.id, longText(2700)),
      'smart_summary',
    )
    expect(await summaries.ended(user.token, created.body.id)).toMatchObject({ status: 'completed' })
    expect(await summaries.balance(user)).toBe(1 - price)
    expect(await summaries.kindsOf(user.id)).toEqual(['CreditsGranted', 'CreditsDeducted'])
    expect(model.asked).toHaveLength(4)
    await jobs.keepHistory('summarise-transcript.every-activity-twice', created.body.id)
  })

  it('reads a long transcript in parts, each line once, and writes from the notes', async () => {
    await summaries.work()
    const user = await app.signUp(1)
    const lines = longText(4500)
    const created = await summaries.post(
      user.token,
      await summaries.transcribed(user.id, lines),
      'action_plan',
    )
    const seen = await progressUntilEnd(user.token, created.body.id)
    const summary = await summaries.ended(user.token, created.body.id)

    expect(summary.status).toBe('completed')
    const noted = model.asked.filter(
      ({ response_format }) => response_format.json_schema.name === 'transcript_notes',
    )
    expect(noted).toHaveLength(5)
    const parts = noted
      .map(materialOf)
      .sort((one, other) => lines.indexOf(one[0] ?? '') - lines.indexOf(other[0] ?? ''))
    expect(parts.flat()).toEqual(lines)
    const last = model.asked.at(-1) ?? fail('nothing was asked')
    expect(last.response_format.json_schema.name).toBe('action_plan')
    for (const quote of materialOf(last)) expect(lines).toContain(quote)
    for (const { quote } of actionPlanSchema.parse(JSON.parse(summary.content)).next_steps)
      expect(lines).toContain(quote)
    expect(seen).toEqual([...seen].sort((one, other) => one - other))
    expect(seen.length).toBeGreaterThan(0)
    expect(await jobs.workflow(summary.id).query(progressQuery)).toEqual({
      stage: 'ended',
      partsDone: 5,
      parts: 5,
    })
  })

  it('keeps the history of the longest job under 10,000 events, each part asked again', async () => {
    const parts = 10
    await summaries.work((name, activity) => {
      if (name === 'planSummary') return () => Promise.resolve({ parts })
      if (name === 'reportSummaryProgress') return () => Promise.resolve()
      if (name !== 'noteTranscriptPart') return activity
      return (...args) => {
        const [{ complaint }] = args as unknown as [{ complaint: string | null }]
        const usable = complaint === 'again'
        return Promise.resolve({ usable, complaint: complaint === null ? 'not yet' : 'again' })
      }
    })
    const user = await app.signUp(1)
    const { body } = await summaries.post(user.token, await summaries.transcribed(user.id), 'smart_summary')
    await jobs.workflow(body.id).result()
    const { events } = await jobs.workflow(body.id).fetchHistory()
    const perPart = (events?.length ?? 0) / parts
    expect(perPart).toBeGreaterThan(3 * 3)
    expect(mostParts * perPart).toBeLessThan(10_000)
  })

  it('keeps the quotes that are real, in the words of the transcript, and drops those that are not', async () => {
    await summaries.work()
    const user = await app.signUp(1)
    const quotes = [
      '“the LIGHTHOUSE keeper kept two logs and nobody asked him why”',
      'He didn’t show it to anyone… on the third of March',
      'The keeper was afraid of the dark and told his wife.',
      'two logs',
      'harbour office - it said what the weather did',
    ]
    model.answers(() => ({ content: JSON.stringify(shaped('smart_summary', quotes)) }))
    const created = await summaries.post(user.token, await summaries.transcribed(user.id), 'smart_summary')
    const { content } = await summaries.ended(user.token, created.body.id)
    expect(smartSummarySchema.parse(JSON.parse(content)).highlights).toEqual([
      { point: 'Point 1', quote: 'The lighthouse keeper kept two logs, and nobody asked him why.' },
      { point: 'Point 2', quote: "he didn't show it to anyone. On the third of March" },
      { point: 'Point 3', quote: null },
      { point: 'Point 4', quote: null },
      { point: 'Point 5', quote: 'harbour office — it said what the weather did.' },
    ])
  })

  it('asks again after an answer of no use, saying what was wrong', async () => {
    await summaries.work()
    const user = await app.signUp(1)
    const cases: [string, Reply, RegExp][] = [
      ['no JSON', { content: 'I would rather not.' }, /no JSON/],
      ['another shape', { content: '{"title":"T"}' }, /one_sentence_overview/],
      ['a refusal', { content: null, refusal: 'I cannot.' }, /refused/],
      ['a cut off answer', { content: '{"title":', finish: 'length' }, /cut off/],
      ['nothing', { content: '' }, /empty/],
    ]
    const askedOf = (name: string) => model.asked.filter((question) => materialOf(question).includes(name))
    model.answers((question) => {
      const [name = '', bad] = cases.find(([name]) => materialOf(question).includes(name)) ?? []
      return bad !== undefined && askedOf(name).length === 1 ? bad : soundAnswer(question)
    })
    const ask = async ([name, , complaint]: (typeof cases)[number]) => {
      const transcriptId = await summaries.transcribed(user.id, [...spoken, name])
      const created = await summaries.post(user.token, transcriptId, 'smart_summary')
      expect(await summaries.ended(user.token, created.body.id)).toMatchObject({ status: 'completed' })
      expect(askedOf(name)).toHaveLength(2)
      expect(askedOf(name)[1]?.messages.at(-1)?.content).toMatch(complaint)
    }
    await Promise.all(cases.map(ask))
    expect(await summaries.balance(user)).toBe(1 - cases.length * price)
  })

  it('takes an answer with a fence and thoughts around it, and drops what no database keeps', async () => {
    await summaries.work()
    const user = await app.signUp(1)
    const sound = JSON.stringify({ ...(shaped('smart_summary', spoken) as object), title: 'A\0 ti\ud800tle' })
    model.answers(() => ({ content: `<think>{hm}</think>Here you are:\n\`\`\`json\n${sound}\n\`\`\`` }))
    const created = await summaries.post(user.token, await summaries.transcribed(user.id), 'smart_summary')
    const { content } = await summaries.ended(user.token, created.body.id)
    expect(JSON.parse(content).title).toBe('A ti\ufffdtle')
  })

  it('gives the credits back after three answers of no use, to the point', async () => {
    await summaries.work(everythingTwice(['reportSummaryProgress', 'writeSummary']))
    const user = await app.signUp(1)
    const transcriptId = await summaries.transcribed(user.id)
    model.answers(() => ({ content: '{"title":"T"}' }))
    const created = await summaries.post(user.token, transcriptId, 'smart_summary')
    expect(await summaries.ended(user.token, created.body.id)).toMatchObject({
      status: 'failed',
      content: null,
      error_message: 'The language model gave no usable answer. Your credits are back.',
    })
    expect(model.asked).toHaveLength(3)
    expect(await summaries.balance(user)).toBe(1)
    expect(await summaries.kindsOf(user.id)).toEqual(['CreditsGranted', 'CreditsDeducted', 'CreditsRefunded'])
    await jobs.keepHistory('summarise-transcript.failure-and-refund', created.body.id)

    model.reset()
    const retry = await summaries.post(user.token, transcriptId, 'smart_summary')
    expect(retry.body.id).not.toBe(created.body.id)
    expect(await summaries.ended(user.token, retry.body.id)).toMatchObject({ status: 'completed' })
    expect(await summaries.balance(user)).toBe(1 - price)
  })

  it('tries a model that fails as often as it makes sense, then gives the credits back', async () => {
    await summaries.work()
    const user = await app.signUp(1)
    const cases: [number, number, RegExp][] = [
      [400, 1, /could not take this question\. Your credits are back\.$/],
      [401, 1, /does not accept our key\. Your credits are back\.$/],
      [500, 2, /overloaded or down\. Your credits are back\.$/],
      [429, 2, /overloaded or down\. Your credits are back\.$/],
    ]
    const statusOf = (question: Asked) => Number(materialOf(question).at(-1))
    model.answers((question) => ({ status: statusOf(question) }))
    const fail = async ([status, times, words]: (typeof cases)[number]) => {
      const transcriptId = await summaries.transcribed(user.id, [...spoken, String(status)])
      const created = await summaries.post(user.token, transcriptId, 'thought_provoking')
      const summary = await summaries.ended(user.token, created.body.id)
      expect(summary.status).toBe('failed')
      expect(summary.error_message).toMatch(words)
      expect(model.asked.filter((question) => statusOf(question) === status)).toHaveLength(times)
    }
    await Promise.all(cases.map(fail))
    expect(await summaries.balance(user)).toBe(1)
  })

  it('waits as long as an overloaded model asks it to', async () => {
    await summaries.work()
    const user = await app.signUp(1)
    const at: number[] = []
    model.answers((question) => {
      at.push(Date.now())
      return at.length === 1 ? { status: 429, headers: { 'retry-after': '1' } } : soundAnswer(question)
    })
    const created = await summaries.post(user.token, await summaries.transcribed(user.id), 'smart_summary')
    expect(await summaries.ended(user.token, created.body.id)).toMatchObject({ status: 'completed' })
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(1000)
  })

  it('gives up a model that hangs or breaks off, within its bounds', async () => {
    await summaries.work()
    const user = await app.signUp(1)
    const transcriptId = await summaries.transcribed(user.id)
    model.answers(({ response_format }) =>
      response_format.json_schema.name === 'action_plan' ? 'breaking off' : 'hanging',
    )
    const created = await Promise.all(
      (['smart_summary', 'action_plan'] as const).map((type) =>
        summaries.post(user.token, transcriptId, type),
      ),
    )
    for (const { body } of created) {
      const summary = await summaries.ended(user.token, body.id)
      expect(summary.error_message).toBe('The language model took too long to answer. Your credits are back.')
    }
    expect(model.asked).toHaveLength(4)
    expect(await summaries.balance(user)).toBe(1)
    await jobs.keepHistory('summarise-transcript.timeout', created[0]?.body.id)
  })

  it('gives the credits back when it is cancelled', async () => {
    await summaries.work()
    const user = await app.signUp(1)
    model.answers(() => 'hanging')
    const created = await summaries.post(user.token, await summaries.transcribed(user.id), 'smart_summary')
    await summaries.untilAsked(1)
    await jobs.workflow(created.body.id).cancel()
    expect(await summaries.ended(user.token, created.body.id)).toMatchObject({
      status: 'failed',
      error_message: 'This summary was cancelled. Your credits are back.',
    })
    expect(await summaries.balance(user)).toBe(1)
    await jobs.keepHistory('summarise-transcript.cancel', created.body.id)
  })

  it.each(['chargeSummary', 'planSummary', 'noteTranscriptPart', 'writeSummary', 'saveSummary'])(
    'keeps nothing, or its price for what is there, when it is cancelled in %s',
    async (step) => {
      let cancelled = false
      await summaries.work((name, activity) => async (...args) => {
        if (name === step && !cancelled) {
          cancelled = true
          const [{ summaryId }] = args as unknown as [{ summaryId: string }]
          await jobs.workflow(summaryId).cancel()
          // The workflow goes on without this step, whose effect may come after its end.
          await new Promise((resolve) => setTimeout(resolve, 300))
        }
        return activity(...args)
      })
      const user = await app.signUp(1)
      await summaries.post(user.token, await summaries.transcribed(user.id, longText(2700)), 'smart_summary')
      // Not from the answer: cancelled in its charge, it is one that says that nothing was started.
      const { id } = await summaries.database
        .selectFrom('summaries')
        .select('id')
        .where('user_id', '=', user.id)
        .executeTakeFirstOrThrow()
      const summary = await summaries.ended(user.token, id)
      await jobs.workflow(id).result()
      await summaries.stopWorking()
      expect(cancelled).toBe(true)
      expect((await app.call('GET', `/summaries/${id}`, { token: user.token })).body).toEqual(summary)
      expect(summary.content === null).toBe(summary.status === 'failed')
      expect(await summaries.balance(user)).toBe(summary.status === 'failed' ? 1 : 1 - price)
    },
  )

  it('finishes on another worker when its own is gone', async () => {
    await summaries.work()
    const user = await app.signUp(1)
    model.answers(() => 'hanging')
    const created = await summaries.post(
      user.token,
      await summaries.transcribed(user.id, longText(2700)),
      'smart_summary',
    )
    await summaries.untilAsked(3)
    await summaries.stopWorking()
    model.reset()
    await summaries.work()
    expect(await summaries.ended(user.token, created.body.id)).toMatchObject({ status: 'completed' })
    expect(await summaries.kindsOf(user.id)).toEqual(['CreditsGranted', 'CreditsDeducted'])
    await jobs.keepHistory('summarise-transcript.worker-lost', created.body.id)
  })

  it.each(['hasNotes', 'keepNotes', 'keepDraft'] as const)(
    'waits while the database is away in %s, and buys no answer twice',
    async (step) => {
      await summaries.work()
      const user = await app.signUp(1)
      const records = jobs.context.get(SummaryRecords)
      const really = records[step].bind(records) as (...args: unknown[]) => Promise<never>
      const times = new Map<string, number>()
      let cut: Promise<void> | undefined
      const spy = vi.spyOn(records, step).mockImplementation(async (...args: unknown[]) => {
        const call = JSON.stringify(args)
        times.set(call, (times.get(call) ?? 0) + 1)
        await (cut ??= summaries.way.interrupt())
        return really(...args)
      })
      const transcriptId = await summaries.transcribed(user.id, longText(2700))
      const { body } = await summaries.post(user.token, transcriptId, 'smart_summary')
      try {
        // More often than a vendor is tried.
        await vi.waitFor(() => expect(Math.max(...times.values())).toBeGreaterThan(2), { timeout: 15_000 })
      } finally {
        await summaries.way.restore()
      }
      expect(await summaries.ended(user.token, body.id)).toMatchObject({ status: 'completed' })
      spy.mockRestore()
      expect(model.asked).toHaveLength(4)
      expect(await summaries.kindsOf(user.id)).toEqual(['CreditsGranted', 'CreditsDeducted'])
    },
  )

  /** The percentages that a user sees, in order. */
  async function progressUntilEnd(token: string, id: string): Promise<number[]> {
    const seen: number[] = []
    await summaries.until(token, id, (summary) => {
      const { progress_percent: percent } = summary as { progress_percent?: number | null }
      if (typeof percent === 'number' && seen.at(-1) !== percent) seen.push(percent)
      return summary.status === 'completed' || summary.status === 'failed'
    })
    return seen
  }
})

/** What is said in two of the sandbox's sample episodes: more than goes to the model at once. */
async function recordings(): Promise<string[]> {
  const folder = path.resolve(import.meta.dirname, '../../../../sandbox/media')
  const files = ['harbour-log/why-lighthouses-kept-two-logs.json', 'night-lab/how-to-see-in-the-dark.json']
  const media = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))
  return media.flatMap((text) => (JSON.parse(text) as { paragraphs: string[] }).paragraphs)
}

function fail(why: string): never {
  throw new Error(why)
}
