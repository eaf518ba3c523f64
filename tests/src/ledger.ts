/** What the ledger must say of an account once nothing runs any more, told by the API and by the events. */
import { readClips } from '@earmark/sandbox/catalogue/clip'
import pg from 'pg'
import { expect } from 'vitest'
import type { Account, Transcript } from './account.ts'
import { checkoutsOf } from './card-company.ts'
import type { Stack } from './stack.ts'

const microcreditsPerMinute = 10_000
const microcreditsPerSummary = 50_000
const clips = readClips()

type LedgerEvent = {
  type: string
  data: Record<string, unknown>
  operation_id: string
  refers_to: string | null
}

/** The events of an account, oldest first. */
export async function eventsOf(stack: Stack, accountId: string): Promise<LedgerEvent[]> {
  const client = new pg.Client({ connectionString: stack.databaseUrl() })
  await client.connect()
  try {
    const { rows } = await client.query<LedgerEvent>(
      'select type, data, operation_id, refers_to from events where stream_id = $1 order by revision',
      [`creditAccount-${accountId}`],
    )
    return rows
  } finally {
    await client.end()
  }
}

/** Granted less deducted plus refunded is the balance, and what was kept is the price of what was delivered. */
export async function expectLedgerHolds(stack: Stack, account: Account): Promise<void> {
  const [transcripts, transactions, balance, events] = await Promise.all([
    account.transcripts(),
    account.transactions(),
    account.balance(),
    eventsOf(stack, account.id),
  ])
  expect(events.length, 'there is something to check').toBeGreaterThan(0)
  const balanceMicrocredits = toMicrocredits(balance)

  const signed = events.map(signedAmount)
  expect(sum(signed), 'the sum of the events is the balance').toBe(balanceMicrocredits)
  signed.reduce((before, change, index) => {
    expect(before + change, `balance after event ${index}`).toBeGreaterThanOrEqual(0)
    return before + change
  }, 0)

  const shown = transactions.map(({ transaction_type: type, amount }) =>
    type === 'deduct' ? -toMicrocredits(amount) : toMicrocredits(amount),
  )
  expect(sum(shown), 'the sum of the transactions is the balance').toBe(balanceMicrocredits)

  const summaries = (
    await Promise.all(
      transcripts.filter(({ status }) => status === 'completed').map(({ id }) => account.summaries(id)),
    )
  ).flat()
  const priceOfSummaries =
    summaries.filter(({ status }) => status === 'completed').length * microcreditsPerSummary

  const spent = sum(signed.filter((_, index) => events[index]?.type !== 'CreditsGranted'))
  const priceOfAll = sum(transcripts.map(priceOf)) + priceOfSummaries
  expect(spent + priceOfAll, 'what was kept less the price of what was delivered').toBe(0)
  for (const transcript of transcripts) {
    const ofTranscript = events.filter(({ operation_id: id }) => id.startsWith(transcript.id))
    const kept = sum(ofTranscript.map(signedAmount)) + priceOf(transcript)
    expect(kept, `kept for ${transcript.id} beside its price`).toBe(0)
  }

  const purchases = events.filter(({ operation_id: id }) => id.endsWith(':purchase'))
  const paid = (await checkoutsOf(stack, account.id)).filter(
    ({ payment_status: status }) => status === 'paid',
  )
  expect(purchases.map(({ operation_id: id }) => id).sort(), 'one credit for each payment').toEqual(
    paid.map(({ id }) => `${id}:purchase`).sort(),
  )
}

/** By the audio's real length, in microcredits: 0.01 credits for each started minute (spec section 9). */
export function priceOf({ status, audio_url: url }: Pick<Transcript, 'status' | 'audio_url'>): number {
  if (status !== 'completed') return 0
  const name = /\/audio\/(?:counted\/)?(.+)\.mp3$/.exec(new URL(url).pathname)?.[1] ?? ''
  const clip = clips.get(name)
  if (!clip) throw new Error(`There is no clip ${name}`)
  return Math.ceil(clip.durationSeconds / 60) * microcreditsPerMinute
}

function signedAmount({ type, data }: LedgerEvent): number {
  switch (type) {
    case 'CreditsGranted':
    case 'CreditsRefunded':
      return Number(data['amountMicrocredits'])
    case 'CreditsDeducted':
    case 'CreditsReversed':
      return -Number(data['amountMicrocredits'])
    case 'CreditsAdjusted':
      return Number(data['signedAmountMicrocredits'])
    case 'DeductionVoided':
      return 0
    default:
      throw new Error(`An event of an unknown type: ${type}`)
  }
}

const toMicrocredits = (credits: number) => Math.round(credits * 1_000_000)
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
