/** The protocol's messages from and to what the log holds, on the definitions that the client ships. */
import { randomUUID } from 'node:crypto'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import type { AppendOutcome, ExpectedRevision, LoggedEvent, ProposedEvent } from './event-log.ts'

const ticksPerMillisecond = 10_000n
/** What a server puts where an event that was read from its stream has no position. */
const noPosition = '18446744073709551615'

/** A read or a subscription; a subscription has no end and no `maxCount`. */
export type ReadRequest = {
  /** Without a name: of all streams. */
  streamName: string | undefined
  /** A revision, or of all streams a position. */
  from: number | 'start' | 'end'
  isBackwards: boolean
  isSubscription: boolean
  maxCount: number
  includes: (event: LoggedEvent) => boolean
}

export function readRequest(request: streams.ReadReq): ReadRequest {
  const options = required(request.getOptions(), 'options')
  const stream = options.getStream()
  const all = options.getAll()
  const from = (source: { hasStart(): boolean; hasEnd(): boolean }, value: () => string | undefined) =>
    source.hasStart() ? 'start' : source.hasEnd() ? 'end' : Number(required(value(), 'a place to begin'))
  return {
    streamName: stream && streamName(stream.getStreamIdentifier()),
    from: stream
      ? from(stream, () => stream.getRevision())
      : from(required(all, 'what to read'), () => all?.getPosition()?.getCommitPosition()),
    isBackwards: options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS,
    isSubscription: options.hasSubscription(),
    maxCount: options.hasCount() ? Number(options.getCount()) : Number.MAX_SAFE_INTEGER,
    includes: filterOf(options.getFilter()),
  }
}

function filterOf(filter: streams.ReadReq.Options.FilterOptions | undefined): ReadRequest['includes'] {
  if (!filter) return () => true
  const prefixes = filter.getStreamIdentifier()?.getPrefixList() ?? []
  required(prefixes[0], 'how streams begin: nothing else is chosen by here')
  return ({ streamName }) => prefixes.some((prefix) => streamName.startsWith(prefix))
}

export type AppendTarget = { streamName: string; expected: ExpectedRevision }

export function appendTarget(request: streams.AppendReq): AppendTarget {
  const options = required(request.getOptions(), 'options')
  const expected = options.hasRevision()
    ? Number(options.getRevision())
    : options.hasNoStream()
      ? 'no_stream'
      : options.hasStreamExists()
        ? 'stream_exists'
        : 'any'
  return { streamName: streamName(options.getStreamIdentifier()), expected }
}

export function proposedEvent(request: streams.AppendReq): ProposedEvent {
  const message = required(request.getProposedMessage(), 'an event')
  const metadata = message.getMetadataMap()
  return {
    eventId: required(message.getId(), 'an event id').getString(),
    type: required(metadata.get('type'), 'a type'),
    contentType: required(metadata.get('content-type'), 'a content type'),
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  }
}

export function appendResponse(outcome: AppendOutcome, { expected }: AppendTarget): streams.AppendResp {
  const response = new streams.AppendResp()
  if (outcome.kind === 'appended') {
    const success = new streams.AppendResp.Success()
    if (outcome.last) {
      success.setCurrentRevision(String(outcome.last.revision))
      const position = new streams.AppendResp.Position()
      position.setCommitPosition(String(outcome.last.position))
      position.setPreparePosition(String(outcome.last.position))
      success.setPosition(position)
    } else {
      success.setNoStream(new shared.Empty())
      success.setNoPosition(new shared.Empty())
    }
    return response.setSuccess(success)
  }
  const refusal = new streams.AppendResp.WrongExpectedVersion()
  if (outcome.current < 0) refusal.setCurrentNoStream(new shared.Empty())
  else refusal.setCurrentRevision(String(outcome.current))
  if (expected === 'any') refusal.setExpectedAny(new shared.Empty())
  else if (expected === 'no_stream') refusal.setExpectedNoStream(new shared.Empty())
  else if (expected === 'stream_exists') refusal.setExpectedStreamExists(new shared.Empty())
  else refusal.setExpectedRevision(String(expected))
  return response.setWrongExpectedVersion(refusal)
}

export function eventResponse(event: LoggedEvent, isOfAll: boolean): streams.ReadResp {
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
  const position = isOfAll ? String(event.position) : noPosition
  recorded.setId(new shared.UUID().setString(event.eventId))
  recorded.setStreamIdentifier(streamIdentifier(event.streamName))
  recorded.setStreamRevision(String(event.revision))
  recorded.setCommitPosition(position)
  recorded.setPreparePosition(position)
  const createdTicks = BigInt(event.createdAt.getTime()) * ticksPerMillisecond
  recorded.getMetadataMap().set('type', event.type)
  recorded.getMetadataMap().set('content-type', event.contentType)
  recorded.getMetadataMap().set('created', String(createdTicks))
  recorded.setCustomMetadata(event.metadata)
  recorded.setData(event.data)
  const read = new streams.ReadResp.ReadEvent().setEvent(recorded)
  if (isOfAll) read.setCommitPosition(position)
  else read.setNoPosition(new shared.Empty())
  return new streams.ReadResp().setEvent(read)
}

export function streamNotFoundResponse(name: string): streams.ReadResp {
  const missing = new streams.ReadResp.StreamNotFound().setStreamIdentifier(streamIdentifier(name))
  return new streams.ReadResp().setStreamNotFound(missing)
}

export function confirmationResponse(): streams.ReadResp {
  const confirmation = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID())
  return new streams.ReadResp().setConfirmation(confirmation)
}

function streamIdentifier(name: string): shared.StreamIdentifier {
  return new shared.StreamIdentifier().setStreamName(Buffer.from(name))
}

function streamName(identifier: shared.StreamIdentifier | undefined): string {
  return Buffer.from(required(identifier, 'a stream').getStreamName_asU8()).toString()
}

function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`A request without ${what}`)
  return value
}
