/** A user of the API, as a program would be one. */
import { randomUUID } from 'node:crypto'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { eventually, type Stack } from './stack.ts'

export type Episode = { id: string; title: string; audio_url: string; duration_seconds: number | null }

export type Transcript = {
  id: string
  episode_id: string
  audio_url: string
  status: 'pending' | 'processing' | 'completed' | 'failed'
  error_message: string | null
  text: string | null
  duration_seconds: number | null
  charged_credits: number | null
}

export type Transaction = {
  id: string
  transaction_type: 'deduct' | 'add' | 'refund'
  amount: number
  metadata: { transcript_id?: string }
}

export type SummaryType = 'smart_summary' | 'action_plan' | 'thought_provoking'

export type Summary = {
  id: string
  summary_type: SummaryType
  status: 'pending' | 'processing' | 'completed' | 'failed'
  error_message: string | null
}

export type Account = Awaited<ReturnType<typeof openAccount>>

type Answer = { status: number; body: Record<string, unknown> }
type Get = <T>(route: string) => Promise<T>

export const password = 'correct horse battery'

/** A new account, signed in, with a balance in credits. */
export async function openAccount(stack: Stack, credits: number) {
  const email = `${randomUUID()}@example.org`
  await ask(stack, 'POST', '/auth/signup', { email, password, turnstile_token: await solve(stack) })
  return signIn(stack, email, credits)
}

/** Signs in to an account that is there. */
export async function signIn(stack: Stack, email: string, credits = 0) {
  const session = await ask(stack, 'POST', '/auth/signin', {
    ...{ email, password },
    turnstile_token: await solve(stack),
  })
  if (session.status !== 200) throw new Error(`Not signed in: ${JSON.stringify(session)}`)
  const token = session.body['access_token'] as string
  if (credits > 0) await stack.grant(email, credits)
  const call = (method: string, route: string, body?: unknown) => ask(stack, method, route, body, token)
  const get: Get = async <T>(route: string) => {
    const { status, body } = await call('GET', route)
    if (status !== 200) throw new Error(`${route} answers ${status} ${JSON.stringify(body)}`)
    return body as T
  }
  const { id } = await get<{ id: string }>('/auth/v1/user')
  const transcript = (transcriptId: string) => get<Transcript>(`/transcripts/${transcriptId}`)
  const transcripts = () =>
    allPages<Transcript>(get, 'transcripts', (page) => `/api/transcripts?page=${page}&limit=100`)
  const summaries = async (transcriptId: string) =>
    (await get<{ summaries: Summary[] }>(`/transcripts/${transcriptId}/summaries`)).summaries
  const episodesOf = async (show: string): Promise<Episode[]> => {
    const { feeds } = await get<{ feeds: { id: string; title: string }[] }>(
      `/search?term=${encodeURIComponent(show)}`,
    )
    const feed = feeds.find(({ title }) => title === show)
    if (!feed) throw new Error(`There is no show ${show}`)
    return (await get<{ episodes: Episode[] }>(`/podcasts/${feed.id}/episodes?limit=100`)).episodes
  }
  const start = (episode: Episode) =>
    call('POST', '/transcripts', {
      episode_id: episode.id,
      episode_title: episode.title,
      audio_url: episode.audio_url,
      duration_seconds: episode.duration_seconds,
    })
  /** Waits for the end of a transcription, whatever goes down meanwhile. */
  const untilEnded = (transcriptId: string, seconds: number) =>
    eventually(`transcript ${transcriptId} ends`, seconds, async () => {
      const current = await transcript(transcriptId)
      return hasEnded(current) ? current : undefined
    })

  return {
    id,
    email,
    call,
    transcript,
    balance: async () => (await get<{ balance: number }>('/credits/balance')).balance,
    transcripts,
    summaries,
    episodesOf,
    start,
    untilEnded,
    transactions: () =>
      allPages<Transaction>(
        get,
        'transactions',
        (page) => `/credits/transactions?limit=100&offset=${(page - 1) * 100}`,
      ),

    /** The transcript of an account that has one. */
    onlyTranscript: async () => {
      const [only] = await transcripts()
      if (!only) throw new Error('There is no transcript')
      return transcript(only.id)
    },

    /** The id of a completed transcript of the show's episode. */
    transcribed: async (show: string, index: number) => {
      const episode = (await episodesOf(show))[index]
      if (!episode) throw new Error(`${show} has no episode ${index}`)
      const { status, body } = await start(episode)
      if (status !== 200) throw new Error(`Not started: ${status} ${JSON.stringify(body)}`)
      const ended = await untilEnded(body['id'] as string, 60)
      if (ended.status !== 'completed') throw new Error(`Not transcribed: ${ended.error_message ?? ''}`)
      return ended.id
    },

    summarise: (transcriptId: string, type: SummaryType) =>
      call('POST', '/summaries', { transcript_id: transcriptId, summary_type: type }),

    /** Waits until none of a transcript's summaries is being worked on. */
    untilSummariesEnded: (transcriptId: string, seconds: number) =>
      eventually(`the summaries of ${transcriptId} end`, seconds, async () => {
        const all = await summaries(transcriptId)
        const isEnded = all.every(({ status }) => status === 'completed' || status === 'failed')
        return isEnded ? all : undefined
      }),

    openCheckout: async (packageId: string) => {
      const { status, body } = await call('POST', '/payments/create-checkout-session', {
        package_id: packageId,
      })
      if (status !== 200) throw new Error(`No checkout: ${status} ${JSON.stringify(body)}`)
      return body as { session_id: string }
    },

    completePayment: (sessionId: string) =>
      call('POST', `/payments/complete-payment?session_id=${sessionId}`),

    /** Waits until its audio is being listened to. */
    untilTranscribing: (transcriptId: string) =>
      eventually(`transcript ${transcriptId} is being transcribed`, 30, async () => {
        const current = await transcript(transcriptId)
        if (hasEnded(current))
          throw new Error(`it has ended already: ${current.error_message ?? current.status}`)
        return current.error_message?.startsWith('Transcribing') ? current : undefined
      }),
  }
}

export const hasEnded = ({ status }: Transcript) => status === 'completed' || status === 'failed'

async function allPages<T>(get: Get, name: string, route: (page: number) => string) {
  const all: T[] = []
  for (let page = 1; ; page += 1) {
    const items = (await get<Record<string, T[]>>(route(page)))[name] ?? []
    all.push(...items)
    if (items.length < 100) return all
  }
}

async function solve(stack: Stack): Promise<string> {
  const { body } = await ask(stack, 'GET', '/auth/challenge')
  const challenge = body as unknown as Challenge
  const solution = await solveChallenge({ challenge, deriveKey })
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}

async function ask(
  stack: Stack,
  method: string,
  route: string,
  body?: unknown,
  token?: string,
): Promise<Answer> {
  const response = await fetch(`${stack.origin}/v1${route}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  })
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}
