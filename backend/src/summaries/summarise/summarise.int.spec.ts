import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import {
  actionPlanSchema,
  smartSummarySchema,
  summaryContentSchemas,
  summaryTypes,
} from '@earmark/contracts/summary-content'
import { progressQuery } from '@earmark/contracts/workflows'
import { type Sandbox, startSandbox } from '@earmark/sandbox/server'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { startApp, type TestApp } from '../../../test/app.ts'
import { everythingTwice, type Jobs, prepareJobs } from '../../../test/jobs.ts'
import { materialOf, shaped, soundAnswer, startScriptedModel } from '../../../test/scripted-model.ts'
import { namespaces } from '../../../test/servers.ts'
import { readCreditEvent } from '../../credits/credit-event.schema.ts'
import { accountStream } from '../../credits/ledger.ts'
import { EventStore } from '../../platform/event-store/event-store.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import { StartSummary } from '../create-summary/start-summary.ts'
import { SweepSummaries } from '../sweep-summaries/sweep-summaries.ts'

const spoken = [
  'The lighthouse keeper kept two logs, and nobody asked him why.',
  'One was for the harbour office — it said what the weather did.',
  "The other was for himself; he didn't show it to anyone.",
  'On the third of March the two logs disagree about the fog.',
  'Write down what you saw before you write down what it means.',
]

const price = 0.05

describe('a summary on real Temporal and PostgreSQL', () => {
  let model: Awaited<ReturnType<typeof startScriptedModel>>
  let sandbox: Sandbox
  let app: TestApp
  let jobs: Jobs

  beforeAll(async () => {
    model = await startScriptedModel()
    sandbox = await startSandbox({ port: 0 })
    app = await startApp({
      TEMPORAL_NAMESPACE: namespaces.summaries,
      SUMMARY_BASE_URL: model.url,
      SUMMARY_MODEL: 'scripted',
      SUMMARY_TIMEOUT_SECONDS: '2',
      SUMMARY_PART_WORDS: '200',
      VENDOR_ATTEMPTS: '2',
    })
    jobs = await prepareJobs(app.config)
  })

  afterEach(async () => {
    await jobs.stop()
    model.reset()
  })

  afterAll(async () => {
    await jobs.close()
    await app.close()
    await sandbox.close()
    await model.close()
  })

  it.each(summaryTypes)('charges and writes a %s in its shape', async (type) => {
    await jobs.start()
    const user = await app.signUp(1)
    const transcriptId = await transcribed(user.id)
    const created = await post(user.token, transcriptId, type)
    expect(created).toMatchObject({
      status: 200,
      body: { transcript_id: transcriptId, summary_type: type, content: null },
    })
    expect(created.body.message).toBeUndefined()
    const summary = await ended(user.token, created.body.id)

    expect(summary).toMatchObject({ status: 'completed', progress_percent: 100, error_message: null })
    summaryContentSchemas[type].parse(JSON.parse(summary.content))
    expect(await balance(user)).toBe(1 - price)
    expect(await eventsOf(user.id)).toMatchObject([
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

  it.each(summaryTypes)('has the sandbox write a %s from the parts of a real recording', async (type) => {
    await jobs.start()
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
    const lines = await recording()
    const transcriptId = await transcribed(user.id, lines)
    const summary = await ended(user.token, (await post(user.token, transcriptId, type)).body.id)

    expect(summary.status).toBe('completed')
    expect(model.asked.length).toBeGreaterThan(2)
    const quotes = [...(summary.content as string).matchAll(/"quote":("(?:[^"\\\\]|\\\\.)*"|null)/g)].map(
      ([, quote = '']) => JSON.parse(quote) as string | null,
    )
    for (const quote of quotes) expect(lines.join(' ')).toContain(quote)
    if (type !== 'thought_provoking') expect(quotes.length).toBeGreaterThan(1)
  })

  it('counts the completed ones and lists the newest of each type', async () => {
    await jobs.start()
    const user = await app.signUp(1)
    const transcriptId = await transcribed(user.id)
    model.answers(() => ({ status: 400 }))
    const failed = await ended(user.token, (await post(user.token, transcriptId, 'action_plan')).body.id)
    expect(failed.status).toBe('failed')
    model.reset()
    const ids = []
    for (const type of ['action_plan', 'smart_summary'] as const)
      ids.push((await ended(user.token, (await post(user.token, transcriptId, type)).body.id)).id)

    const { body } = await app.call('GET', `/transcripts/${transcriptId}/summaries`, { token: user.token })
    const listed = body.summaries as { id: string }[]
    expect(listed.map(({ id }) => id)).toEqual(ids)
    const one = await app.call('GET', `/transcripts/${transcriptId}`, { token: user.token })
    expect(one.body.summary_count).toBe(2)
    const list = await app.call('GET', '/api/transcripts', { token: user.token })
    expect(list.body.transcripts[0].summary_count).toBe(2)
  })

  it('comes to the same end when each activity runs twice, and asks nothing again that was answered', async () => {
    await jobs.start(everythingTwice(['reportSummaryProgress']))
    const user = await app.signUp(1)
    const created = await post(user.token, await transcribed(user.id, longText(450)), 'smart_summary')
    expect(await ended(user.token, created.body.id)).toMatchObject({ status: 'completed' })
    expect(await balance(user)).toBe(1 - price)
    expect(await kindsOf(user.id)).toEqual(['CreditsGranted', 'CreditsDeducted'])
    expect(model.asked).toHaveLength(4)
    await jobs.keepHistory('summarise-transcript.every-activity-twice', created.body.id)
  })

  it('reads a long transcript in parts, each line once, and writes from the notes', async () => {
    await jobs.start()
    const user = await app.signUp(1)
    const lines = longText(900)
    const created = await post(user.token, await transcribed(user.id, lines), 'action_plan')
    const seen = await progressUntilEnd(user.token, created.body.id)
    const summary = await ended(user.token, created.body.id)

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

  it('keeps the quotes that are real, in the words of the transcript, and drops those that are not', async () => {
    await jobs.start()
    const user = await app.signUp(1)
    const quotes = [
      '“the LIGHTHOUSE keeper kept two logs and nobody asked him why”',
      'He didn’t show it to anyone… on the third of March',
      'The keeper was afraid of the dark and told his wife.',
      'two logs',
      'harbour office - it said what the weather did',
    ]
    model.answers(() => ({ content: JSON.stringify(shaped('smart_summary', quotes)) }))
    const created = await post(user.token, await transcribed(user.id), 'smart_summary')
    const { content } = await ended(user.token, created.body.id)
    expect(smartSummarySchema.parse(JSON.parse(content)).highlights).toEqual([
      { point: 'Point 1', quote: 'The lighthouse keeper kept two logs, and nobody asked him why.' },
      { point: 'Point 2', quote: "he didn't show it to anyone. On the third of March" },
      { point: 'Point 3', quote: null },
      { point: 'Point 4', quote: null },
      { point: 'Point 5', quote: 'harbour office — it said what the weather did.' },
    ])
  })

  it.each([
    ['no JSON', { content: 'I would rather not.' }, /no JSON/],
    ['another shape', { content: '{"title":"T"}' }, /one_sentence_overview/],
    ['a refusal', { content: null, refusal: 'I cannot.' }, /refused/],
    ['a cut off answer', { content: '{"title":', finish: 'length' }, /cut off/],
    ['nothing', { content: '' }, /empty/],
  ])('asks again after %s, saying what was wrong', async (_, bad, complaint) => {
    await jobs.start()
    const user = await app.signUp(1)
    model.answers((question) => (model.asked.length === 1 ? bad : soundAnswer(question)))
    const created = await post(user.token, await transcribed(user.id), 'smart_summary')
    expect(await ended(user.token, created.body.id)).toMatchObject({ status: 'completed' })
    expect(model.asked).toHaveLength(2)
    expect(model.asked[1]?.messages.at(-1)?.content).toMatch(complaint)
    expect(await balance(user)).toBe(1 - price)
  })

  it('takes an answer with a fence and thoughts around it, and drops what no database keeps', async () => {
    await jobs.start()
    const user = await app.signUp(1)
    const sound = JSON.stringify({ ...(shaped('smart_summary', spoken) as object), title: 'A\0 ti\ud800tle' })
    model.answers(() => ({ content: `<think>{hm}</think>Here you are:\n\`\`\`json\n${sound}\n\`\`\`` }))
    const created = await post(user.token, await transcribed(user.id), 'smart_summary')
    const { content } = await ended(user.token, created.body.id)
    expect(JSON.parse(content).title).toBe('A ti\ufffdtle')
  })

  it('gives the credits back after three answers of no use, to the point', async () => {
    await jobs.start(everythingTwice(['reportSummaryProgress', 'writeSummary']))
    const user = await app.signUp(1)
    const transcriptId = await transcribed(user.id)
    model.answers(() => ({ content: '{"title":"T"}' }))
    const created = await post(user.token, transcriptId, 'smart_summary')
    expect(await ended(user.token, created.body.id)).toMatchObject({
      status: 'failed',
      content: null,
      error_message: 'The language model gave no usable answer. Your credits are back.',
    })
    expect(model.asked).toHaveLength(3)
    expect(await balance(user)).toBe(1)
    expect(await kindsOf(user.id)).toEqual(['CreditsGranted', 'CreditsDeducted', 'CreditsRefunded'])
    await jobs.keepHistory('summarise-transcript.failure-and-refund', created.body.id)

    model.reset()
    const retry = await post(user.token, transcriptId, 'smart_summary')
    expect(retry.body.id).not.toBe(created.body.id)
    expect(await ended(user.token, retry.body.id)).toMatchObject({ status: 'completed' })
    expect(await balance(user)).toBe(1 - price)
  })

  it.each([
    [400, 1, /could not take this question\. Your credits are back\.$/],
    [401, 1, /does not accept our key\. Your credits are back\.$/],
    [500, 2, /overloaded or down\. Your credits are back\.$/],
    [429, 2, /overloaded or down\. Your credits are back\.$/],
  ])('tries a model that says %i %i times, then gives the credits back', async (status, times, words) => {
    await jobs.start()
    const user = await app.signUp(1)
    model.answers(() => ({ status }))
    const created = await post(user.token, await transcribed(user.id), 'thought_provoking')
    const summary = await ended(user.token, created.body.id)
    expect(summary.status).toBe('failed')
    expect(summary.error_message).toMatch(words)
    expect(model.asked).toHaveLength(times)
    expect(await balance(user)).toBe(1)
  })

  it('waits as long as an overloaded model asks it to', async () => {
    await jobs.start()
    const user = await app.signUp(1)
    const at: number[] = []
    model.answers((question) => {
      at.push(Date.now())
      return at.length === 1 ? { status: 429, headers: { 'retry-after': '1' } } : soundAnswer(question)
    })
    const created = await post(user.token, await transcribed(user.id), 'smart_summary')
    expect(await ended(user.token, created.body.id)).toMatchObject({ status: 'completed' })
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(1000)
  })

  it.each(['breaking off', 'hanging'] as const)(
    'gives up a model that is %s, within its bounds',
    async (how) => {
      await jobs.start()
      const user = await app.signUp(1)
      model.answers(() => how)
      const created = await post(user.token, await transcribed(user.id), 'smart_summary')
      const summary = await ended(user.token, created.body.id)
      expect(summary.error_message).toBe('The language model took too long to answer. Your credits are back.')
      expect(model.asked).toHaveLength(2)
      expect(await balance(user)).toBe(1)
      await jobs.keepHistory('summarise-transcript.timeout', created.body.id)
    },
  )

  it('gives the credits back when it is cancelled', async () => {
    await jobs.start()
    const user = await app.signUp(1)
    model.answers(() => 'hanging')
    const created = await post(user.token, await transcribed(user.id), 'smart_summary')
    await untilAsked(1)
    await jobs.workflow(created.body.id).cancel()
    expect(await ended(user.token, created.body.id)).toMatchObject({
      status: 'failed',
      error_message: 'This summary was cancelled. Your credits are back.',
    })
    expect(await balance(user)).toBe(1)
    await jobs.keepHistory('summarise-transcript.cancel', created.body.id)
  })

  it.each(['chargeSummary', 'planSummary', 'noteTranscriptPart', 'writeSummary', 'saveSummary'])(
    'keeps nothing, or its price for what is there, when it is cancelled in %s',
    async (step) => {
      let cancelled = false
      await jobs.start((name, activity) => async (...args) => {
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
      await post(user.token, await transcribed(user.id, longText(450)), 'smart_summary')
      // Not from the answer: cancelled in its charge, it is one that says that nothing was started.
      const { id } = await database()
        .selectFrom('summaries')
        .select('id')
        .where('user_id', '=', user.id)
        .executeTakeFirstOrThrow()
      const summary = await ended(user.token, id)
      await jobs.workflow(id).result()
      await jobs.stop()
      expect(cancelled).toBe(true)
      expect((await app.call('GET', `/summaries/${id}`, { token: user.token })).body).toEqual(summary)
      expect(summary.content === null).toBe(summary.status === 'failed')
      expect(await balance(user)).toBe(summary.status === 'failed' ? 1 : 1 - price)
    },
  )

  it('finishes on another worker when its own is gone', async () => {
    await jobs.start()
    const user = await app.signUp(1)
    model.answers(() => 'hanging')
    const created = await post(user.token, await transcribed(user.id, longText(450)), 'smart_summary')
    await untilAsked(3)
    await jobs.stop()
    model.reset()
    await jobs.start()
    expect(await ended(user.token, created.body.id)).toMatchObject({ status: 'completed' })
    expect(await kindsOf(user.id)).toEqual(['CreditsGranted', 'CreditsDeducted'])
    await jobs.keepHistory('summarise-transcript.worker-lost', created.body.id)
  })

  it('makes one summary and one charge of ten requests at once, and answers it from then on', async () => {
    await jobs.start()
    const user = await app.signUp(1)
    const wanted = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const transcriptId = await transcribed(user.id)
        return summaryTypes.map((type) => ({ transcriptId, type }))
      }),
    )
    for (const { transcriptId, type } of wanted.flat()) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => post(user.token, transcriptId, type)),
      )
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
      expect(answers.filter(({ body }) => body.message === undefined)).toHaveLength(1)
      const summary = await ended(user.token, answers[0]?.body.id)
      const again = await post(user.token, transcriptId, type)
      expect(again).toMatchObject({
        status: 200,
        body: { ...summary, message: 'This summary exists already. Nothing was charged.' },
      })
    }
    const count = wanted.flat().length
    expect((await kindsOf(user.id)).filter((kind) => kind === 'CreditsDeducted')).toHaveLength(count)
    expect(await balance(user)).toBe((100 - 5 * count) / 100)
  })

  it('refuses with what is required and available, and lists no refusal', async () => {
    await jobs.start()
    const user = await app.signUp(0.02)
    const transcriptId = await transcribed(user.id)
    expect(await post(user.token, transcriptId, 'smart_summary')).toMatchObject({
      status: 402,
      body: {
        code: 'insufficient_credits',
        detail: 'Insufficient credits: required 0.05, available 0.02',
        details: { required_credits: 0.05, available_credits: 0.02 },
      },
    })
    const { body } = await app.call('GET', `/transcripts/${transcriptId}/summaries`, { token: user.token })
    expect(body).toEqual({ summaries: [] })
    expect(await kindsOf(user.id)).toEqual(['CreditsGranted'])
    expect(model.asked).toHaveLength(0)
  })

  it.each([
    ['pending', null],
    ['processing', null],
    ['failed', null],
    ['refused', null],
  ] as const)('refuses a transcript that is %s, and charges nothing', async (status, text) => {
    const user = await app.signUp(1)
    const transcriptId = await transcribed(user.id, [], { status, text })
    expect(await post(user.token, transcriptId, 'smart_summary')).toMatchObject({
      status: 409,
      body: { code: 'transcript_not_completed' },
    })
    expect(await balance(user)).toBe(1)
  })

  it.each(['[BLANK_AUDIO]', '(music) ♪ ♪ (music)', ' ... ', '*applause* [MUSIC PLAYING]'])(
    'refuses a transcript of nothing but "%s", and charges nothing',
    async (text) => {
      const user = await app.signUp(1)
      expect(await post(user.token, await transcribed(user.id, [text]), 'action_plan')).toMatchObject({
        status: 409,
        body: { code: 'nothing_to_summarise' },
      })
      expect(await kindsOf(user.id)).toEqual(['CreditsGranted'])
    },
  )

  it('keeps what belongs to another user a secret', async () => {
    await jobs.start()
    const user = await app.signUp(1)
    const stranger = await app.signUp(1)
    const transcriptId = await transcribed(user.id)
    const { id } = await ended(user.token, (await post(user.token, transcriptId, 'smart_summary')).body.id)
    for (const answer of [
      await post(stranger.token, transcriptId, 'smart_summary'),
      await app.call('GET', `/transcripts/${transcriptId}/summaries`, { token: stranger.token }),
      await app.call('GET', `/summaries/${id}`, { token: stranger.token }),
    ])
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await balance(stranger)).toBe(1)
  })

  it('starts a summary whose request died before its workflow was started, once', async () => {
    await jobs.start()
    const user = await app.signUp(1)
    const id = randomUUID()
    await database()
      .insertInto('summaries')
      .values({
        id,
        transcript_id: await transcribed(user.id),
        user_id: user.id,
        summary_type: 'smart_summary',
        status: 'pending',
        request_id: randomUUID(),
      })
      .execute()
    const sweeper = app.app.get(SweepSummaries)
    await sweeper.sweep(new Date(Date.now() + 1000))
    await sweeper.sweep(new Date(Date.now() + 1000))
    expect(await ended(user.token, id)).toMatchObject({ status: 'completed' })
    expect(await kindsOf(user.id)).toEqual(['CreditsGranted', 'CreditsDeducted'])
  })

  it('gives the credits back when the transcript is deleted meanwhile', async () => {
    await jobs.start()
    const user = await app.signUp(1)
    const transcriptId = await transcribed(user.id)
    let release: (() => void) | undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    model.answers(async (question) => {
      await held
      return soundAnswer(question)
    })
    const created = await post(user.token, transcriptId, 'smart_summary')
    await untilAsked(1)
    await database().deleteFrom('transcripts').where('id', '=', transcriptId).execute()
    release?.()
    expect(await jobs.workflow(created.body.id).result()).toMatchObject({ outcome: 'failed' })
    expect(await balance(user)).toBe(1)
  })

  it('offers none where no language model is set up', async () => {
    const other = await startApp()
    const user = await other.signUp(1)
    const transcriptId = await transcribed(user.id, spoken, { database: other.app.get<Database>(DATABASE) })
    const answer = await other.call('POST', '/summaries', {
      token: user.token,
      body: { transcript_id: transcriptId, summary_type: 'smart_summary' },
    })
    expect(answer).toMatchObject({ status: 503, body: { code: 'temporarily_unavailable' } })
    expect(answer.body.detail).toMatch(/no language model is set up/)
    await other.close()
  })

  it('withdraws what could not be started, so that the next request begins anew', async () => {
    await jobs.start()
    const user = await app.signUp(1)
    const transcriptId = await transcribed(user.id)
    const start = vi.spyOn(app.app.get(StartSummary), 'start')
    start.mockRejectedValueOnce(new Error('the workflow service is away'))
    expect(await post(user.token, transcriptId, 'smart_summary')).toMatchObject({
      status: 503,
      body: { code: 'temporarily_unavailable' },
    })
    const { body } = await app.call('GET', `/transcripts/${transcriptId}/summaries`, { token: user.token })
    expect(body).toEqual({ summaries: [] })
    expect(await kindsOf(user.id)).toEqual(['CreditsGranted'])
    const [row] = start.mock.calls[0] ?? fail('nothing was started')
    start.mockRestore()
    // The start that was given up arrives all the same.
    expect(await app.app.get(StartSummary).start(row)).toEqual({ outcome: 'withdrawn' })
    expect(await kindsOf(user.id)).toEqual(['CreditsGranted'])

    const created = await post(user.token, transcriptId, 'smart_summary')
    expect(await ended(user.token, created.body.id)).toMatchObject({ status: 'completed' })
    expect(await balance(user)).toBe(1 - price)
  })

  it('answers the one that runs when only the word of its start was lost', async () => {
    await jobs.start()
    const user = await app.signUp(1)
    const starter = app.app.get(StartSummary)
    const really = starter.start.bind(starter)
    const start = vi.spyOn(starter, 'start').mockImplementationOnce(async (row) => {
      await really(row)
      throw new Error('the answer is lost')
    })
    const created = await post(user.token, await transcribed(user.id), 'smart_summary')
    start.mockRestore()
    expect(created.status).toBe(200)
    expect(await ended(user.token, created.body.id)).toMatchObject({ status: 'completed' })
    expect(await kindsOf(user.id)).toEqual(['CreditsGranted', 'CreditsDeducted'])
  })

  const database = () => app.app.get<Database>(DATABASE)

  async function transcribed(
    userId: string,
    lines = spoken,
    {
      database: target = database(),
      ...other
    }: { database?: Database; status?: 'pending' | 'processing' | 'failed' | 'refused'; text?: null } = {},
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
  }

  const post = (token: string, transcriptId: string, type: string) =>
    app.call('POST', '/summaries', {
      token,
      body: { transcript_id: transcriptId, summary_type: type },
    })

  async function until(token: string, id: string, reached: (summary: { status: string }) => boolean) {
    for (;;) {
      const { body } = await app.call('GET', `/summaries/${id}`, { token })
      if (reached(body)) return body
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
  }

  const ended = (token: string, id: string) =>
    until(token, id, ({ status }) => status === 'completed' || status === 'failed')

  /** The percentages that a user sees, in order. */
  async function progressUntilEnd(token: string, id: string): Promise<number[]> {
    const seen: number[] = []
    await until(token, id, (summary) => {
      const { progress_percent: percent } = summary as { progress_percent?: number | null }
      if (typeof percent === 'number' && seen.at(-1) !== percent) seen.push(percent)
      return summary.status === 'completed' || summary.status === 'failed'
    })
    return seen
  }

  async function untilAsked(times: number) {
    while (model.asked.length < times) await new Promise((resolve) => setTimeout(resolve, 20))
  }

  /** In credits: of the ledger's events, of its last event and of the API alike. */
  async function balance(user: { id: string; token: string }): Promise<number> {
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
  }

  async function eventsOf(userId: string) {
    const events = await app.app.get(EventStore).readStream(accountStream(userId))
    return events.map(readCreditEvent)
  }

  async function kindsOf(userId: string): Promise<string[]> {
    return (await eventsOf(userId)).map(({ type }) => type)
  }
})

/** Lines that are all different, of nine words each. */
function longText(words: number): string[] {
  return Array.from({ length: words / 9 }, (_, at) => `Line ${at} of what was said on that evening.`)
}

/** What is said in one of the sandbox's sample episodes. */
async function recording(): Promise<string[]> {
  const folder = path.resolve(import.meta.dirname, '../../../../sandbox/media/harbour-log')
  const media = await readFile(path.join(folder, 'why-lighthouses-kept-two-logs.json'), 'utf8')
  return (JSON.parse(media) as { paragraphs: string[] }).paragraphs
}

function fail(why: string): never {
  throw new Error(why)
}
