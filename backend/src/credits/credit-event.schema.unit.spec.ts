import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { expectAccountHolds } from '../../test/ledger-holds.ts'
import type { RecordedEvent } from '../platform/event-store/event-store.ts'
import { type EventRow, toRecordedEvent } from '../platform/event-store/postgres-event.ts'
import { readCreditEvent, writeCreditEvent } from './credit-event.schema.ts'
import { type CreditEventType, currentVersion, upcast, versions } from './credit-event-versions.ts'
import { zero } from './domain/amounts.ts'
import type { CreditEvent } from './domain/events.ts'

const folder = path.resolve(import.meta.dirname, '../../../docs/events')

/** A row of the table of events, as it was once stored. */
type Sample = Omit<EventRow, 'recorded_at'> & { recorded_at: string }

const known = Object.keys(versions).map(Number)
const types = Object.keys(versions[currentVersion] ?? {}) as CreditEventType[]

describe.each(known)('credit events of version %i', (version) => {
  const schema = publishedSchema(version)
  const samples = samplesOf(version)

  it('are as their published schema says', async () => {
    const file = path.join(folder, `credit-event.v${version}.schema.json`)
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(file)
  })

  it('were recorded of every type', () => {
    expect([...new Set(samples.map(({ type }) => type))].sort()).toEqual([...types].sort())
    for (const sample of samples) expect(sample.schema_version).toBe(version)
  })

  it('are stored as their published schema says', () => {
    const validate = new Ajv2020().compile(schema)
    for (const { type, schema_version, data } of samples) {
      const isValid = validate({ type, schema_version, data })
      expect(validate.errors, `${type} ${JSON.stringify(data)}`).toBeNull()
      expect(isValid).toBe(true)
    }
  })

  // Seen red with the upcaster leaving out what was owed, and with a grant of version 1 taken for a purchase.
  it('can be read today, and make accounts that hold', () => {
    const recorded = samples.map(toRecorded)
    for (const stream of new Set(samples.map(({ stream_id }) => stream_id)))
      expectAccountHolds(recorded.filter(({ streamId }) => streamId === stream))
  })

  it('keep each value that they were stored with', () => {
    for (const sample of samples)
      expect(readCreditEvent(toRecorded(sample))).toEqual({
        ...(version === 1 && { owedAfterMicrocredits: 0 }),
        ...(version === 1 && sample.type === 'CreditsGranted' && { operationType: 'grant' }),
        ...sample.data,
        type: sample.type,
      })
  })

  it('lead to today’s version step by step', () => {
    for (const type of types) expect(upcast(type, version, {})).toBeDefined()
  })
})

describe('a credit event', () => {
  const [sample] = samplesOf(currentVersion)
  if (!sample) throw new Error('there is no sample')
  const read = (change: Partial<Sample>) => () => readCreditEvent(toRecorded({ ...sample, ...change }))

  it('is written so that the published schema holds and it is read as the same', () => {
    const validate = new Ajv2020().compile(publishedSchema(currentVersion))
    for (const event of samplesOf(currentVersion).map((stored) => readCreditEvent(toRecorded(stored)))) {
      const { type, schemaVersion, data, operationId } = writeCreditEvent(event, sample.event_id, {})
      expect(validate({ type, schema_version: schemaVersion, data }), JSON.stringify(data)).toBe(true)
      const stored = { type, schema_version: schemaVersion, data, operation_id: operationId }
      expect(read(stored)()).toEqual(event)
    }
  })

  const place = `Event ${sample.stream_id} #0`

  // Seen red with the version not looked at, and with version 0 taken for 1.
  it('of an unknown version or type stops whoever reads it, and says what it met', () => {
    for (const schema_version of [0, 3, 1.5, -1, Number.NaN])
      expect(read({ schema_version })).toThrow(
        `${place} (CreditsGranted v${schema_version}) cannot be read: the version is unknown; today's is 2`,
      )
    for (const type of ['CreditsStolen', 'toString', '__proto__', ''])
      expect(read({ type })).toThrow(`${place} (${type} v2) cannot be read: the type is unknown`)
  })

  // Seen red with amounts read as `z.number()`, and with a damaged value replaced by a default.
  it('that is damaged stops whoever reads it, and says which value it is', () => {
    const damaged: [Record<string, unknown>, string][] = [
      [{ balanceAfterMicrocredits: -1 }, 'balanceAfterMicrocredits: '],
      [{ balanceAfterMicrocredits: 1.5 }, 'balanceAfterMicrocredits: '],
      [{ balanceAfterMicrocredits: 2 ** 53 }, 'balanceAfterMicrocredits: '],
      [{ balanceAfterMicrocredits: '1' }, 'balanceAfterMicrocredits: '],
      [{ owedAfterMicrocredits: undefined }, 'owedAfterMicrocredits: '],
      [{ owedAfterMicrocredits: null }, 'owedAfterMicrocredits: '],
      [{ owedAfterMicrocredits: 1 }, 'owedAfterMicrocredits: nothing is owed where there is a balance'],
      [{ amountMicrocredits: 0 }, 'amountMicrocredits: '],
      [{ operationType: 'theft' }, 'operationType: '],
      [{ operationId: '' }, 'operationId: '],
      [{ note: {} }, 'note.description: '],
    ]
    for (const [change, what] of damaged)
      expect(read({ data: { ...sample.data, ...change } }), JSON.stringify(change)).toThrow(
        `${place} (CreditsGranted v2) cannot be read: ${what}`,
      )
    for (const data of [null, [], 'x'] as never[])
      expect(read({ data })).toThrow(`${place} (CreditsGranted v2) cannot be read: `)
    for (const data of [{ ...sample.data, owedAfterMicrocredits: -1 }, null] as never[])
      expect(read({ schema_version: 1, data })).toThrow(`${place} (CreditsGranted v1) cannot be read: `)
  })

  // Seen red with the operation in the event alone looked at.
  it('of another operation than it is filed under stops whoever reads it', () => {
    expect(read({ operation_id: 'another' })).toThrow(
      `${place} (CreditsGranted v2) cannot be read: it is filed under the operation another`,
    )
  })

  // Seen red with such a position believed.
  it('of any type and version that has a balance and owes at the same time stops whoever reads it', () => {
    const impossible = { balanceAfterMicrocredits: 1, owedAfterMicrocredits: 1 }
    for (const { type, schema_version, data } of known.flatMap(samplesOf))
      expect(read({ type, schema_version, data: { ...data, ...impossible } })).toThrow(
        `${place} (${type} v${schema_version}) cannot be read: owedAfterMicrocredits: nothing is owed where there is a balance`,
      )
  })

  // Seen red with events that are written as they come.
  it('that nobody could read is not written', () => {
    const event = {
      type: 'CreditsDeducted',
      operationId: 'a',
      operationType: 'transcription',
      amountMicrocredits: 1,
      balanceAfterMicrocredits: 0,
      owedAfterMicrocredits: 0,
      note: { description: 'a test' },
    } as CreditEvent
    expect(writeCreditEvent(event, sample.event_id, {})).toMatchObject({ type: 'CreditsDeducted' })
    for (const wrong of [
      { operationType: 'podcast' },
      { note: { description: 'a test', estimatedDurationSeconds: Number.NaN } },
      { note: { description: 7 } },
      { owedAfterMicrocredits: -1 },
    ])
      expect(() => writeCreditEvent({ ...event, ...wrong } as CreditEvent, sample.event_id, {})).toThrow(
        'No event CreditsDeducted can be written: ',
      )
  })

  // Seen red with the note as it came, and with surrogates left in.
  it('is written without what the columns of the history cannot hold', () => {
    const event: CreditEvent = {
      type: 'DeductionVoided',
      operationId: 'a',
      deductionId: 'b',
      balanceAfterMicrocredits: zero,
      owedAfterMicrocredits: zero,
      note: { description: 'half \ud83d\0 a pair', episodeTitle: '\udc00\u0000🎧', wordCount: 3 },
    }
    expect(writeCreditEvent(event, sample.event_id, {}).data.note).toEqual({
      description: 'half � a pair',
      episodeTitle: '�🎧',
      wordCount: 3,
    })
  })
})

function publishedSchema(version: number) {
  const ofVersion = Object.entries(versions[version] ?? {}).map(([type, data]) =>
    z.object({ type: z.literal(type), schema_version: z.literal(version), data }),
  )
  const [first, ...others] = ofVersion
  if (!first) throw new Error(`version ${version} has no types`)
  const title = `A credit event of version ${version}, as it is stored`
  return { title, ...z.toJSONSchema(z.discriminatedUnion('type', [first, ...others]), { io: 'input' }) }
}

function samplesOf(version: number): Sample[] {
  const file = path.join(folder, `credit-event.v${version}.samples.json`)
  return JSON.parse(readFileSync(file, 'utf8')) as Sample[]
}

function toRecorded(sample: Sample): RecordedEvent {
  return toRecordedEvent({ ...sample, recorded_at: new Date(sample.recorded_at) })
}
