import { existsSync } from 'node:fs'
import path from 'node:path'
import { randomUUID } from 'node:crypto'
import { startSandbox } from '@earmark/sandbox/server'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../../test/app.ts'
import { everythingTwice, type Jobs, prepareJobs } from '../../../test/jobs.ts'
import { namespaces } from '../../../test/servers.ts'
import { readCreditEvent } from '../../credits/credit-event.schema.ts'
import { accountStream } from '../../credits/ledger.ts'
import { EventStore } from '../../platform/event-store/event-store.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import { SweepTranscripts } from '../sweep-transcripts/sweep-transcripts.ts'
import { TranscriptCharges } from './transcript-charges.ts'

describe('a transcription on real Temporal and PostgreSQL', () => {
  let sandbox: Awaited<ReturnType<typeof startSandbox>>
  let app: TestApp
  let jobs: Jobs

  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0 })
    app = await startApp({
      TEMPORAL_NAMESPACE: namespaces.transcripts,
      TRANSCRIPTION_BASE_URL: `${sandbox.url}/openai/v1`,
      TRANSCRIPTION_CHUNK_SECONDS: '60',
      TRANSCRIPTION_CONCURRENCY: '2',
      TRANSCRIPTION_TIMEOUT_SECONDS: '2',
      VENDOR_ATTEMPTS: '2',
      PODCASTINDEX_BASE_URL: `${sandbox.url}/podcastindex/api/1.0`,
      ITUNES_BASE_URL: `${sandbox.url}/itunes`,
      FETCH_ALLOW_ORIGINS: sandbox.url,
    })
    jobs = await prepareJobs(app.config)
  })

  afterEach(async () => {
    await jobs.stop()
    await setFaults({})
  })

  afterAll(async () => {
    await jobs.close()
    await app.close()
    await sandbox.close()
  })

  it('charges, transcribes in chunks and saves what was really said', async () => {
    await jobs.start()
    const user = await app.signUp(1)
    const created = await post(user.token, 'Why lighthouses kept two logs')
    expect(created.status).toBe(200)
    const transcript = await ended(user.token, created.body.id)

    expect(transcript).toMatchObject({ status: 'completed', charged_credits: 0.03, progress_percent: 100 })
    expect(transcript.text).toBe(await script('Why lighthouses kept two logs'))
    expect(await balance(user.token)).toBe(0.97)
    await jobs.keepHistory('transcribe-episode.success', created.body.id)
  })

  it('comes to the same end when each activity runs twice', async () => {
    await jobs.start(everythingTwice(['reportProgress']))
    const user = await app.signUp(1)
    const created = await post(user.token, 'A half hour with the tide tables')
    const transcript = await ended(user.token, created.body.id)

    expect(transcript).toMatchObject({ status: 'completed', charged_credits: 0.03 })
    expect(await balance(user.token)).toBe(0.97)
    expect(await kindsOf(user.id)).toEqual(['CreditsGranted', 'CreditsDeducted', 'CreditsRefunded'])
    await jobs.keepHistory('transcribe-episode.every-activity-twice', created.body.id)
  })

  it('takes the difference when the audio is longer than its feed says', async () => {
    await jobs.start()
    const user = await app.signUp(1)
    const transcript = await ended(user.token, (await post(user.token, 'One minute about knots')).body.id)
    expect(transcript).toMatchObject({ status: 'completed', charged_credits: 0.03 })
    expect(await kindsOf(user.id)).toEqual(['CreditsGranted', 'CreditsDeducted', 'CreditsDeducted'])
  })

  // Seen red with seconds that were rounded to the nearest: 60, which is one minute, for the price of two.
  it('writes a length down that tells as many started minutes as were charged', async () => {
    const user = await app.signUp(1)
    const { chargedMicrocredits } = await jobs.context.get(TranscriptCharges).settle({
      transcriptId: randomUUID(),
      userId: user.id,
      requestId: randomUUID(),
      episodeTitle: null,
      claimedDurationSeconds: null,
      durationSeconds: 60.3,
    })
    expect(chargedMicrocredits).toBe(20_000)
    const events = await app.app.get(EventStore).readStream(accountStream(user.id))
    expect(events.map((event) => readCreditEvent(event).note.estimatedDurationSeconds)).toEqual([
      undefined,
      61,
    ])
  })

  it('gives everything back when the real length is not covered', async () => {
    await jobs.start()
    const user = await app.signUp(0.02)
    const transcript = await ended(user.token, (await post(user.token, 'One minute about knots')).body.id)
    expect(transcript).toMatchObject({ status: 'failed', charged_credits: 0 })
    expect(transcript.error_message).toMatch(
      /longer|more than its feed says.*required 0\.03, available 0\.02/,
    )
    expect(await balance(user.token)).toBe(0.02)
  })

  it.each([
    ['The tape that went missing', /no longer there/],
    ['A page in the tape box', /no audio|could not read/],
  ])('gives the credits of "%s" back and says why', async (title, words) => {
    await jobs.start(everythingTwice(['reportProgress']))
    const user = await app.signUp(1)
    const created = await post(user.token, title)
    const transcript = await ended(user.token, created.body.id)
    expect(transcript.status).toBe('failed')
    expect(transcript.error_message).toMatch(words)
    expect(transcript.error_message).toMatch(/Your credits are back\.$/)
    expect(await balance(user.token)).toBe(1)
    await jobs.keepHistory('transcribe-episode.failure-and-refund', created.body.id)
  })

  it('gives up a provider that hangs, within its bounds', async () => {
    await setFaults({ transcription: { kind: 'hanging' } })
    await jobs.start()
    const user = await app.signUp(1)
    const created = await post(user.token, 'Why lighthouses kept two logs')
    expect(await ended(user.token, created.body.id)).toMatchObject({ status: 'failed', charged_credits: 0 })
    expect(await balance(user.token)).toBe(1)
    await jobs.keepHistory('transcribe-episode.timeout', created.body.id)
  })

  it('asks a provider that says 400 once', async () => {
    await setFaults({ transcription: { kind: 'failing', status: 400 } })
    await fetch(`${sandbox.url}/control/requests`, { method: 'DELETE' })
    await jobs.start()
    const user = await app.signUp(1)
    const created = await post(user.token, 'The fog bell of Saint Anne')
    expect(await ended(user.token, created.body.id)).toMatchObject({ status: 'failed' })
    const log = (await (await fetch(`${sandbox.url}/control/requests`)).json()) as {
      requests: { vendor: string }[]
    }
    expect(log.requests.filter(({ vendor }) => vendor === 'transcription')).toHaveLength(1)
  })

  it.each([
    [
      'took more',
      'One minute about knots',
      ['CreditsDeducted', 'CreditsDeducted', 'CreditsRefunded', 'CreditsRefunded'],
    ],
    [
      'gave a part back',
      'A half hour with the tide tables',
      ['CreditsDeducted', 'CreditsRefunded', 'CreditsRefunded'],
    ],
  ])('gives all of it back when it fails after a settlement that %s', async (_, title, moves) => {
    await setFaults({ transcription: { kind: 'failing', status: 400 } })
    await jobs.start(everythingTwice(['reportProgress']))
    const user = await app.signUp(1)
    const created = await post(user.token, title)
    expect(await ended(user.token, created.body.id)).toMatchObject({ status: 'failed', charged_credits: 0 })
    expect(await balance(user.token)).toBe(1)
    const kinds = (await kindsOf(user.id)).filter(
      (kind) => kind !== 'CreditsGranted' && kind !== 'DeductionVoided',
    )
    expect(kinds).toEqual(moves)
  })

  it('gives the credits back and leaves no file when it is cancelled', async () => {
    await setFaults({ transcription: { kind: 'slow', delayMs: 1500 } })
    await jobs.start()
    const user = await app.signUp(1)
    const created = await post(user.token, 'Why lighthouses kept two logs')
    await until(user.token, created.body.id, (transcript) =>
      /^Transcribing/.test(transcript.error_message ?? ''),
    )
    await jobs.workflow(created.body.id).cancel()
    const transcript = await ended(user.token, created.body.id)

    expect(transcript).toMatchObject({ status: 'failed', charged_credits: 0 })
    expect(await balance(user.token)).toBe(1)
    await jobs.workflow(created.body.id).result()
    expect(existsSync(path.join(app.config.dataFolder, 'audio', created.body.id))).toBe(false)
    await jobs.keepHistory('transcribe-episode.cancel', created.body.id)
  })

  it('finishes on another worker when its own is gone', async () => {
    await setFaults({ transcription: { kind: 'slow', delayMs: 1500 } })
    await jobs.start()
    const user = await app.signUp(1)
    const created = await post(user.token, 'Why lighthouses kept two logs')
    await until(user.token, created.body.id, (transcript) =>
      /^Transcribing/.test(transcript.error_message ?? ''),
    )
    await jobs.stop()
    await setFaults({})
    await jobs.start()
    expect(await ended(user.token, created.body.id)).toMatchObject({
      status: 'completed',
      charged_credits: 0.03,
    })
    expect(await kindsOf(user.id)).toEqual(['CreditsGranted', 'CreditsDeducted'])
    await jobs.keepHistory('transcribe-episode.worker-lost', created.body.id)
  })

  it('starts a transcript whose request died before its workflow was started', async () => {
    await jobs.start()
    const user = await app.signUp(1)
    const episode = (await episodesOf('The Harbour Log')).find(
      ({ title }) => title === 'The fog bell of Saint Anne',
    )
    if (!episode) throw new Error('The sample show has changed')
    const id = randomUUID()
    await app.app
      .get<Database>(DATABASE)
      .insertInto('transcripts')
      .values({
        id,
        user_id: user.id,
        episode_id: episode.id,
        audio_url: episode.audio_url,
        claimed_duration_seconds: 19,
        status: 'pending',
        request_id: randomUUID(),
      })
      .execute()
    const sweeper = app.app.get(SweepTranscripts)
    await sweeper.sweep(new Date(Date.now() + 1000))
    await sweeper.sweep(new Date(Date.now() + 1000))
    expect(await ended(user.token, id)).toMatchObject({ status: 'completed', charged_credits: 0.01 })
    expect(await kindsOf(user.id)).toEqual(['CreditsGranted', 'CreditsDeducted'])
  })

  it('refuses with what is required and available, also when its answer was lost, and lists no refusal', async () => {
    await jobs.start(everythingTwice())
    const user = await app.signUp(0.02)
    const refused = await post(user.token, 'Why lighthouses kept two logs')
    expect(refused).toMatchObject({
      status: 402,
      body: {
        code: 'insufficient_credits',
        detail: 'Insufficient credits: required 0.03, available 0.02',
        details: { required_credits: 0.03, available_credits: 0.02 },
      },
    })
    const { body } = await app.call('GET', '/api/transcripts?page=1&limit=100', { token: user.token })
    expect(body).toEqual({ transcripts: [], total: 0 })
  })

  it('lets two of ten run, and makes one transcript of one episode', async () => {
    await setFaults({ transcription: { kind: 'slow', delayMs: 800 } })
    await jobs.start()
    const user = await app.signUp(1)
    const titles = await allTitles()
    const answers = await Promise.all(
      titles.slice(0, 5).flatMap((title) => [post(user.token, title), post(user.token, title)]),
    )
    const running = new Set(
      answers.filter(({ status }) => status === 200).map(({ body }) => body.id as string),
    )
    expect(running.size).toBe(2)
    expect(answers.filter(({ status }) => status === 429).length).toBe(6)
    for (const id of running) expect(await ended(user.token, id)).toMatchObject({ status: 'completed' })
    expect((await kindsOf(user.id)).filter((kind) => kind === 'CreditsDeducted')).toHaveLength(2)
  })

  async function setFaults(faults: Record<string, { kind: string; delayMs?: number; status?: number }>) {
    const response = await fetch(`${sandbox.url}/control/faults`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(faults),
    })
    expect(response.status).toBe(200)
  }

  async function allTitles(): Promise<string[]> {
    return (await episodesOf('One Small Word')).map((episode) => episode.title)
  }

  type Listed = { id: string; title: string; audio_url: string; duration_seconds: number | null }

  let searcher: string | undefined
  const shows = new Map<string, Listed[]>()
  async function episodesOf(show: string): Promise<Listed[]> {
    searcher ??= (await app.signUp()).token
    const found = shows.get(show)
    if (found) return found
    const { body } = await app.call('GET', `/search?term=${encodeURIComponent(show)}`, { token: searcher })
    const page = await app.call('GET', `/podcasts/${body.feeds[0].id}/episodes?limit=100`, {
      token: searcher,
    })
    const episodes = page.body.episodes as Listed[]
    shows.set(show, episodes)
    return episodes
  }

  async function post(token: string, title: string) {
    const episodes = [
      ...(await episodesOf('The Harbour Log')),
      ...(await episodesOf('Rough Tapes')),
      ...(await episodesOf('One Small Word')),
    ]
    const episode = episodes.find((each) => each.title === title)
    if (!episode) throw new Error(`The sample shows have no "${title}"`)
    const { id, audio_url, duration_seconds } = episode
    return app.call('POST', '/transcripts', {
      token,
      body: { episode_id: id, audio_url, episode_title: title, duration_seconds },
    })
  }

  async function until(
    token: string,
    id: string,
    reached: (transcript: { status: string; error_message?: string }) => boolean,
  ) {
    for (;;) {
      const { body } = await app.call('GET', `/transcripts/${id}`, { token })
      if (reached(body)) return body
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  const ended = (token: string, id: string) =>
    until(token, id, ({ status }) => status === 'completed' || status === 'failed')

  async function balance(token: string): Promise<number> {
    return (await app.call('GET', '/credits/balance', { token })).body.balance as number
  }

  async function kindsOf(userId: string): Promise<string[]> {
    const events = await app.app.get(EventStore).readStream(accountStream(userId))
    return events.map((event) => readCreditEvent(event).type)
  }

  async function script(title: string): Promise<string> {
    const name = title.toLowerCase().replaceAll(' ', '-')
    const folder = path.resolve(import.meta.dirname, '../../../../sandbox/media/harbour-log')
    const { default: media } = (await import(path.join(folder, `${name}.json`), {
      with: { type: 'json' },
    })) as {
      default: { paragraphs: string[] }
    }
    return media.paragraphs.join(' ')
  }
})
