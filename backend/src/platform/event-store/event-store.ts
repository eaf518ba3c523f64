/** How every stream of ours begins: a server of EventStoreDB may hold others. */
export const streamPrefix = 'creditAccount-'

/**
 * The port to where events are kept. A stream is one account's history: revisions count from 0 without a gap.
 * Positions order all streams' events in the order in which they became visible; 0 is before the first.
 */
export abstract class EventStore {
  /**
   * What a decision needs of a stream: its last event, and each event that an operation in `operationIds` wrote or
   * that refers to one. In the order of their revisions. Costs the same however long the stream is.
   */
  abstract readForDecision(streamId: string, operationIds: readonly string[]): Promise<RecordedEvent[]>

  /** A stream's events from `fromRevision` on, oldest first: all of them, or up to `limit`. */
  abstract readStream(streamId: string, fromRevision?: number, limit?: number): Promise<RecordedEvent[]>

  /** What the stream's last event says, read strongly: what was appended before this call began is seen. */
  abstract readHead(streamId: string): Promise<Head | undefined>

  /**
   * Appends `events` right behind `expectedRevision` (-1: the stream is empty), all or none. Answers `conflict` where
   * the stream has moved on, or where it has an event already that was written by one of these operations or refers to
   * one; then nothing was written.
   * @throws where the outcome is unknown (`isUnreachable`): asking again with the same operation ids is safe.
   */
  abstract append(
    streamId: string,
    expectedRevision: number,
    events: readonly NewEvent[],
  ): Promise<'appended' | 'conflict'>

  /** Up to `limit` events of all streams whose position is above `position`, in order. */
  abstract readAll(position: number, limit: number): Promise<PositionedEvent[]>

  /** Resolves when there may be events above the position that the caller has seen, or after `timeoutMs`. */
  abstract waitForEvents(timeoutMs: number, signal: AbortSignal): Promise<void>
}

export type NewEvent = {
  eventId: string
  type: string
  schemaVersion: number
  /** JSON: numbers are integers below 2^53. */
  data: Record<string, unknown>
  metadata: Record<string, unknown>
  /** Unique within a stream for ever: what makes a repeated command one event. */
  operationId: string
  /** The earlier operation of the stream that the event is about. */
  refersTo?: string
  /** Given only where an event is copied from another store: otherwise the store says when it was recorded. */
  recordedAt?: Date
}

export type RecordedEvent = Required<Omit<NewEvent, 'refersTo'>> & {
  streamId: string
  revision: number
  refersTo?: string
}

/** What an event says, without who wrote it and when. */
export type Head = Pick<RecordedEvent, 'streamId' | 'revision' | 'type' | 'schemaVersion' | 'data'>

/** An event as it is met among those of all streams. Positions of one store mean nothing in another. */
export type PositionedEvent = RecordedEvent & { position: number }
