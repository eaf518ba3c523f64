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

  return {
    id,
    email,
    call,
    transcript,
    balance: async () => (await get<{ balance: number }>('/credits/balance')).balance,
    transcripts: () =>
      allPages<Transcript>(get, 'transcripts', (page) => `/api/transcripts?page=${page}&limit=100`),
    transactions: () =>
      allPages<Transaction>(
        get,
        'transactions',
        (page) => `/credits/transactions?limit=100&offset=${(page - 1) * 100}`,
      ),

    /** Every episode of the show with this title. */
    episodesOf: async (show: string): Promise<Episode[]> => {
      const { feeds } = await get<{ feeds: { id: string; title: string }[] }>(
        `/search?term=${encodeURIComponent(show)}`,
      )
      const feed = feeds.find(({ title }) => title === show)
      if (!feed) throw new Error(`There is no show ${show}`)
      return (await get<{ episodes: Episode[] }>(`/podcasts/${feed.id}/episodes?limit=100`)).episodes
    },

    start: (episode: Episode) =>
      call('POST', '/transcripts', {
        episode_id: episode.id,
        episode_title: episode.title,
        audio_url: episode.audio_url,
        duration_seconds: episode.duration_seconds,
      }),

    /** Waits for the end of a transcription, whatever goes down meanwhile. */
    untilEnded: (transcriptId: string, seconds: number) =>
      eventually(`transcript ${transcriptId} ends`, seconds, async () => {
        const current = await transcript(transcriptId)
        return hasEnded(current) ? current : undefined
      }),

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
