/** The events of a server that is no more than memory: what it would have in its log, and its rules for an append. */

export type ProposedEvent = {
  eventId: string
  type: string
  contentType: string
  data: Uint8Array
  metadata: Uint8Array
}

export type LoggedEvent = ProposedEvent & {
  streamName: string
  revision: number
  /** Like a place in a log file: it grows by the size of what lies before. */
  position: number
  createdAt: Date
}

export type ExpectedRevision = number | 'any' | 'no_stream' | 'stream_exists'

/** `last` is the append's own last event; `isRepeat` says that it was there already. */
export type AppendOutcome =
  | { kind: 'appended'; last: LoggedEvent | undefined; isRepeat: boolean }
  | { kind: 'wrong_expected_revision'; current: number }

export const maxAppendBytes = 1_048_576
const firstPosition = 3_917
const recordBytes = 180
/** A server writes events of its own among its users'. */
const appendsPerSystemEvent = 7

export class EventLog {
  readonly events: LoggedEvent[] = []
  readonly #streams = new Map<string, LoggedEvent[]>()
  #nextPosition = firstPosition
  #appends = 0

  stream(name: string): readonly LoggedEvent[] {
    return this.#streams.get(name) ?? []
  }

  append(
    streamName: string,
    expected: ExpectedRevision,
    proposed: readonly ProposedEvent[],
    createdAt: Date,
  ): AppendOutcome {
    const stream = this.stream(streamName)
    const current = stream.length - 1
    const refused = { kind: 'wrong_expected_revision', current } as const
    if (expected === 'stream_exists' && current < 0) return refused
    if (expected === 'any' || expected === 'stream_exists') {
      const places = proposed.map(({ eventId }) => stream.findLastIndex((event) => event.eventId === eventId))
      const [first = -1] = places
      if (places.every((place) => place < 0)) return this.#write(streamName, proposed, createdAt)
      if (!places.every((place, index) => place >= 0 && place === first + index)) return refused
      return { kind: 'appended', last: stream[places.at(-1) ?? current], isRepeat: true }
    }
    const expectedRevision = expected === 'no_stream' ? -1 : expected
    // What is expected to be the tip and is it gets written, whatever its id: the server asks about ids only behind it.
    if (expectedRevision === current) return this.#write(streamName, proposed, createdAt)
    const isRepeat =
      proposed.length > 0 &&
      proposed.every(({ eventId }, index) => stream[expectedRevision + 1 + index]?.eventId === eventId)
    return isRepeat
      ? { kind: 'appended', last: stream[expectedRevision + proposed.length], isRepeat }
      : refused
  }

  #write(streamName: string, proposed: readonly ProposedEvent[], createdAt: Date): AppendOutcome {
    for (const event of proposed) this.#record(streamName, event, createdAt)
    const last = this.stream(streamName).at(-1)
    this.#appends += 1
    if (this.#appends % appendsPerSystemEvent === 0) {
      this.#record('$stats-127.0.0.1:2113', systemEvent(this.#appends), createdAt)
    }
    return { kind: 'appended', last, isRepeat: false }
  }

  #record(streamName: string, proposed: ProposedEvent, createdAt: Date) {
    const stream = this.#streams.get(streamName) ?? []
    this.#streams.set(streamName, stream)
    const event = {
      ...proposed,
      streamName,
      revision: stream.length,
      position: this.#nextPosition,
      createdAt,
    }
    this.#nextPosition += recordBytes + event.data.length + event.metadata.length
    stream.push(event)
    this.events.push(event)
  }
}

/** What a server counts of an event towards the limit of an append. */
export function sizeBytes({ type, data, metadata }: ProposedEvent): number {
  return data.length + metadata.length + 2 * type.length
}

function systemEvent(number: number): ProposedEvent {
  return {
    eventId: `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`,
    type: '$statsCollected',
    contentType: 'application/json',
    data: Buffer.from('{}'),
    metadata: new Uint8Array(),
  }
}
