/**
 * The port to where events are kept. A stream is one account's history: revisions count from 0 without a gap.
 * Positions order all streams' events: gapless, and in the order in which they became visible.
 */
export abstract class EventStore {
  /**
   * What a decision needs of a stream: its last event, and each event that an operation in `operationIds` wrote or
   * that refers to one. In the order of their revisions. Costs the same however long the stream is.
   */
  abstract readForDecision(streamId: string, operationIds: readonly string[]): Promise<RecordedEvent[]>

  /** A whole stream, oldest first. */
  abstract readStream(streamId: string): Promise<RecordedEvent[]>

  /** The stream's last event, read strongly: what was appended before this call began is seen. */
  abstract readHead(streamId: string): Promise<RecordedEvent | undefined>

  /**
   * Appends `events` right behind `expectedRevision` (-1: the stream is empty), all or none.
   * Answers `conflict` where the stream has moved on; then nothing was written.
   * @throws where the outcome is unknown (connection lost): asking again with the same operation ids is safe.
   */
  abstract append(
    streamId: string,
    expectedRevision: number,
    events: readonly NewEvent[],
  ): Promise<'appended' | 'conflict'>

  /** Up to `limit` events of all streams whose position is above `position`, in order. */
  abstract readAll(position: number, limit: number): Promise<RecordedEvent[]>

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
  refersTo?: string
}

export type RecordedEvent = {
  streamId: string
  revision: number
  position: number
  eventId: string
  type: string
  schemaVersion: number
  data: Record<string, unknown>
  recordedAt: Date
}
