import { randomUUID } from 'node:crypto'
import { summaryTypes } from '@earmark/contracts/summary-names'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { startApp } from '../../../test/app.ts'
import { everythingTwice } from '../../../test/jobs.ts'
import { soundAnswer } from '../../../test/scripted-model.ts'
import { namespaces } from '../../../test/servers.ts'
import { price, spoken, startSummaries, type Summaries } from '../../../test/summaries.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import { SweepSummaries } from '../sweep-summaries/sweep-summaries.ts'
import { StartSummary } from './start-summary.ts'

describe('the request for a summary, on real Temporal and PostgreSQL', () => {
  let summaries: Summaries
  let app: Summaries['app']
  let jobs: Summaries['jobs']
  let model: Summaries['model']

  beforeAll(async () => {
    summaries = await startSummaries(namespaces.summaryRequests)
    ;({ app, jobs, model } = summaries)
  })

  afterEach(() => model.reset())

  afterAll(() => summaries.close())

  it('makes one summary and one charge of ten requests at once, and answers it from then on', async () => {
    await summaries.work()
    const user = await app.signUp(1)
    const wanted = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const transcriptId = await summaries.transcribed(user.id)
        return summaryTypes.map((type) => ({ transcriptId, type }))
      }),
    )
    const makeOne = async ({ transcriptId, type }: { transcriptId: string; type: string }) => {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => summaries.post(user.token, transcriptId, type)),
      )
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
      expect(answers.filter(({ body }) => body.message === undefined)).toHaveLength(1)
      const summary = await summaries.ended(user.token, answers[0]?.body.id)
      const again = await summaries.post(user.token, transcriptId, type)
      expect(again).toMatchObject({
        status: 200,
        body: { ...summary, message: 'This summary exists already. Nothing was charged.' },
      })
    }
    await Promise.all(wanted.flat().map(makeOne))
    const count = wanted.flat().length
    expect((await summaries.kindsOf(user.id)).filter((kind) => kind === 'CreditsDeducted')).toHaveLength(
      count,
    )
    expect(await summaries.balance(user)).toBe((100 - 5 * count) / 100)
  })

  it('counts the completed ones and lists the newest of each type', async () => {
    await summaries.work()
    const user = await app.signUp(1)
    const transcriptId = await summaries.transcribed(user.id)
    model.answers(() => ({ status: 400 }))
    const failed = await summaries.ended(
      user.token,
      (await summaries.post(user.token, transcriptId, 'action_plan')).body.id,
    )
    expect(failed.status).toBe('failed')
    model.reset()
    const ids = []
    for (const type of ['action_plan', 'smart_summary'] as const)
      ids.push(
        (await summaries.ended(user.token, (await summaries.post(user.token, transcriptId, type)).body.id))
          .id,
      )

    const { body } = await app.call('GET', `/transcripts/${transcriptId}/summaries`, { token: user.token })
    const listed = body.summaries as { id: string }[]
    expect(listed.map(({ id }) => id)).toEqual(ids)
    const one = await app.call('GET', `/transcripts/${transcriptId}`, { token: user.token })
    expect(one.body.summary_count).toBe(2)
    const list = await app.call('GET', '/api/transcripts', { token: user.token })
    expect(list.body.transcripts[0].summary_count).toBe(2)
  })

  it('refuses with what is required and available, and lists no refusal, also when its answer was lost', async () => {
    await summaries.work(everythingTwice())
    const user = await app.signUp(0.02)
    const transcriptId = await summaries.transcribed(user.id)
    expect(await summaries.post(user.token, transcriptId, 'smart_summary')).toMatchObject({
      status: 402,
      body: {
        code: 'insufficient_credits',
        detail: 'Insufficient credits: required 0.05, available 0.02',
        details: { required_credits: 0.05, available_credits: 0.02 },
      },
    })
    const { body } = await app.call('GET', `/transcripts/${transcriptId}/summaries`, { token: user.token })
    expect(body).toEqual({ summaries: [] })
    expect(await summaries.kindsOf(user.id)).toEqual(['CreditsGranted'])
    expect(model.asked).toHaveLength(0)
  })

  it.each([
    ['pending', null],
    ['processing', null],
    ['failed', null],
    ['refused', null],
  ] as const)('refuses a transcript that is %s, and charges nothing', async (status, text) => {
    const user = await app.signUp(1)
    const transcriptId = await summaries.transcribed(user.id, [], { status, text })
    expect(await summaries.post(user.token, transcriptId, 'smart_summary')).toMatchObject({
      status: 409,
      body: { code: 'transcript_not_completed' },
    })
    expect(await summaries.balance(user)).toBe(1)
  })

  it.each(['[BLANK_AUDIO]', '(music) ♪ ♪ (music)', ' ... ', '*applause* [MUSIC PLAYING]'])(
    'refuses a transcript of nothing but "%s", and charges nothing',
    async (text) => {
      const user = await app.signUp(1)
      expect(
        await summaries.post(user.token, await summaries.transcribed(user.id, [text]), 'action_plan'),
      ).toMatchObject({
        status: 409,
        body: { code: 'nothing_to_summarise' },
      })
      expect(await summaries.kindsOf(user.id)).toEqual(['CreditsGranted'])
    },
  )

  it('keeps what belongs to another user a secret', async () => {
    await summaries.work()
    const user = await app.signUp(1)
    const stranger = await app.signUp(1)
    const transcriptId = await summaries.transcribed(user.id)
    const { id } = await summaries.ended(
      user.token,
      (await summaries.post(user.token, transcriptId, 'smart_summary')).body.id,
    )
    for (const answer of [
      await summaries.post(stranger.token, transcriptId, 'smart_summary'),
      await app.call('GET', `/transcripts/${transcriptId}/summaries`, { token: stranger.token }),
      await app.call('GET', `/summaries/${id}`, { token: stranger.token }),
    ])
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await summaries.balance(stranger)).toBe(1)
  })

  it('starts a summary whose request died before its workflow was started, once', async () => {
    await summaries.work()
    const user = await app.signUp(1)
    const id = randomUUID()
    await summaries.database
      .insertInto('summaries')
      .values({
        id,
        transcript_id: await summaries.transcribed(user.id),
        user_id: user.id,
        summary_type: 'smart_summary',
        status: 'pending',
        request_id: randomUUID(),
      })
      .execute()
    const sweeper = app.app.get(SweepSummaries)
    await sweeper.sweep(new Date(Date.now() + 1000))
    await sweeper.sweep(new Date(Date.now() + 1000))
    expect(await summaries.ended(user.token, id)).toMatchObject({ status: 'completed' })
    expect(await summaries.kindsOf(user.id)).toEqual(['CreditsGranted', 'CreditsDeducted'])
  })

  it.each(['before', 'after'])(
    'says that nothing stays charged when the transcript is deleted just %s the charge',
    async (when) => {
      const user = await app.signUp(1)
      const transcriptId = await summaries.transcribed(user.id)
      let summaryId = ''
      const remove = () =>
        summaries.database.deleteFrom('transcripts').where('id', '=', transcriptId).execute()
      await summaries.work((name, activity) => async (...args) => {
        if (name !== 'chargeSummary') return activity(...args)
        summaryId = (args as unknown as [{ summaryId: string }])[0].summaryId
        if (when === 'before') await remove()
        const answer = await activity(...args)
        await remove()
        return answer
      })
      const answer = await summaries.post(user.token, transcriptId, 'smart_summary')
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
      expect(answer.body.detail).toMatch(/deleted meanwhile.*Nothing stays charged\.$/)
      await jobs.workflow(summaryId).result()
      expect(await summaries.balance(user)).toBe(1)
      expect(await summaries.kindsOf(user.id)).toEqual(
        when === 'before' ? ['CreditsGranted'] : ['CreditsGranted', 'CreditsDeducted', 'CreditsRefunded'],
      )
    },
  )

  it('gives the credits back when the transcript is deleted meanwhile', async () => {
    await summaries.work()
    const user = await app.signUp(1)
    const transcriptId = await summaries.transcribed(user.id)
    let release: (() => void) | undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    model.answers(async (question) => {
      await held
      return soundAnswer(question)
    })
    const created = await summaries.post(user.token, transcriptId, 'smart_summary')
    await summaries.untilAsked(1)
    await summaries.database.deleteFrom('transcripts').where('id', '=', transcriptId).execute()
    release?.()
    expect(await jobs.workflow(created.body.id).result()).toMatchObject({ outcome: 'failed' })
    expect(await summaries.balance(user)).toBe(1)
  })

  it('offers none where no language model is set up', async () => {
    const other = await startApp()
    const user = await other.signUp(1)
    const transcriptId = await summaries.transcribed(user.id, spoken, {
      database: other.app.get<Database>(DATABASE),
    })
    const answer = await other.call('POST', '/summaries', {
      token: user.token,
      body: { transcript_id: transcriptId, summary_type: 'smart_summary' },
    })
    expect(answer).toMatchObject({ status: 503, body: { code: 'temporarily_unavailable' } })
    expect(answer.body.detail).toMatch(/no language model is set up/)
    await other.close()
  })

  it('withdraws what could not be started, so that the next request begins anew', async () => {
    await summaries.work()
    const user = await app.signUp(1)
    const transcriptId = await summaries.transcribed(user.id)
    const start = vi.spyOn(app.app.get(StartSummary), 'start')
    start.mockRejectedValueOnce(new Error('the workflow service is away'))
    expect(await summaries.post(user.token, transcriptId, 'smart_summary')).toMatchObject({
      status: 503,
      body: { code: 'temporarily_unavailable' },
    })
    const { body } = await app.call('GET', `/transcripts/${transcriptId}/summaries`, { token: user.token })
    expect(body).toEqual({ summaries: [] })
    expect(await summaries.kindsOf(user.id)).toEqual(['CreditsGranted'])
    const [row] = start.mock.calls[0] ?? fail('nothing was started')
    start.mockRestore()
    // The start that was given up arrives all the same.
    expect(await app.app.get(StartSummary).start(row)).toEqual({ outcome: 'withdrawn' })
    expect(await summaries.kindsOf(user.id)).toEqual(['CreditsGranted'])

    const created = await summaries.post(user.token, transcriptId, 'smart_summary')
    expect(await summaries.ended(user.token, created.body.id)).toMatchObject({ status: 'completed' })
    expect(await summaries.balance(user)).toBe(1 - price)
  })

  it('answers the one that runs when only the word of its start was lost', async () => {
    await summaries.work()
    const user = await app.signUp(1)
    const starter = app.app.get(StartSummary)
    const really = starter.start.bind(starter)
    const start = vi.spyOn(starter, 'start').mockImplementationOnce(async (row) => {
      await really(row)
      throw new Error('the answer is lost')
    })
    const created = await summaries.post(user.token, await summaries.transcribed(user.id), 'smart_summary')
    start.mockRestore()
    expect(created.status).toBe(200)
    expect(await summaries.ended(user.token, created.body.id)).toMatchObject({ status: 'completed' })
    expect(await summaries.kindsOf(user.id)).toEqual(['CreditsGranted', 'CreditsDeducted'])
  })
})

function fail(why: string): never {
  throw new Error(why)
}
