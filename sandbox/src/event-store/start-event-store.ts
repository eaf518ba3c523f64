import { EventEmitter, once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type streams from '@eventstore/db-client/generated/streams_pb.js'
import {
  Metadata,
  Server,
  ServerCredentials,
  status,
  type ServerErrorResponse,
  type ServerReadableStream,
  type ServerWritableStream,
  type sendUnaryData,
} from '@grpc/grpc-js'
import { EventLog, maxAppendBytes, type LoggedEvent, sizeBytes } from './event-log.ts'
import { Gate } from './gate.ts'
import {
  appendResponse,
  appendTarget,
  confirmationResponse,
  eventResponse,
  proposedEvent,
  type ReadRequest,
  readRequest,
  streamNotFoundResponse,
} from './messages.ts'

/** How long a server holds a repeat whose original it has not indexed yet, until it gives up without a write. */
const unindexedRepeatMs = 2000

/** What goes wrong, at will. */
export type EventStoreControl = {
  /** The next `count` appends are stored, and their answers never come. */
  dropReplies(count: number): void
  /** From now on a repeat within `delayMs` of its original finds it not indexed yet. */
  delayIndex(delayMs: number): void
  /** Connections are accepted, and nothing is answered. */
  freeze(): void
  thaw(): void
  /** Reads and subscriptions die with an error, or simply end. */
  killStreams(how: 'error' | 'end'): void
  /** Like kill -9 and a start: every connection is reset, nothing listens for `downMs`, then it is not ready for `notReadyMs`. */
  restart(downMs: number, notReadyMs: number): Promise<void>
  /** The server's clock, by which events are stamped, runs this much further ahead; below zero: behind. */
  advanceClock(ms: number): void
  /** Every event that is stored, the server's own among them. */
  events(): readonly LoggedEvent[]
}

export type RunningEventStore = { url: string; control: EventStoreControl; close(): Promise<void> }

/** An EventStoreDB of one node in memory, for the unmodified client: append, read, subscribe. */
export async function startEventStore(): Promise<RunningEventStore> {
  const node = new EventStoreNode()
  const server = new Server({ 'grpc.max_receive_message_length': 32 * maxAppendBytes })
  server.addService(StreamsService, {
    append: (call: AppendCall, reply: AppendReply) => node.append(call, reply),
    read: (call: ReadCall) => void node.read(call),
  })
  const innerPort = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    )
  })
  let gate = new Gate(innerPort)
  const outerPort = await gate.open(0)
  return {
    url: `esdb://127.0.0.1:${outerPort}?tls=false`,
    control: {
      dropReplies: (count) => void (node.repliesToDrop = count),
      delayIndex: (delayMs) => void (node.indexDelayMs = delayMs),
      freeze: () => gate.freeze(),
      thaw: () => gate.thaw(),
      killStreams: (how) => node.killStreams(how),
      restart: async (downMs, notReadyMs) => {
        await gate.shut()
        await sleep(downMs)
        node.readyAt = performance.now() + notReadyMs
        gate = new Gate(innerPort)
        await gate.open(outerPort)
      },
      advanceClock: (ms) => void (node.clockAheadMs += ms),
      events: () => node.log.events,
    },
    close: async () => {
      await gate.shut()
      server.forceShutdown()
    },
  }
}

type AppendCall = ServerReadableStream<streams.AppendReq, streams.AppendResp>
type AppendReply = sendUnaryData<streams.AppendResp>
type ReadCall = ServerWritableStream<streams.ReadReq, streams.ReadResp>

class EventStoreNode {
  readonly log = new EventLog()
  repliesToDrop = 0
  indexDelayMs = 0
  clockAheadMs = 0
  readyAt = 0
  readonly #appended = new EventEmitter().setMaxListeners(0)
  readonly #reads = new Map<ReadCall, AbortController>()
  /** When the last event of an append was written, by its id. */
  readonly #writtenAt = new Map<string, number>()

  append(call: AppendCall, reply: AppendReply) {
    const requests: streams.AppendReq[] = []
    call.on('data', (request: streams.AppendReq) => requests.push(request))
    call.on('end', () => {
      try {
        this.#answer(requests, reply)
      } catch (error) {
        reply({ code: status.INVALID_ARGUMENT, details: String(error) })
      }
    })
  }

  #answer([header, ...rest]: streams.AppendReq[], reply: AppendReply) {
    if (!header) throw new Error('An append without a header')
    const target = appendTarget(header)
    const proposed = rest.map(proposedEvent)
    if (performance.now() < this.readyAt) {
      reply({ code: status.UNKNOWN, details: 'Server Is Not Ready' })
      return
    }
    if (proposed.reduce((sum, event) => sum + sizeBytes(event), 0) > maxAppendBytes) {
      reply(tooLarge())
      return
    }
    const createdAt = new Date(Date.now() + this.clockAheadMs)
    const outcome = this.log.append(target.streamName, target.expected, proposed, createdAt)
    if (outcome.kind === 'appended' && outcome.last) {
      const { eventId } = outcome.last
      const writtenAt = this.#writtenAt.get(eventId) ?? -Infinity
      if (outcome.isRepeat && performance.now() < writtenAt + this.indexDelayMs) {
        setTimeout(
          () => reply({ code: status.ABORTED, details: 'Operation timed out' }),
          unindexedRepeatMs,
        ).unref()
        return
      }
      if (!outcome.isRepeat) this.#writtenAt.set(eventId, performance.now())
    }
    this.#appended.emit('appended')
    if (this.repliesToDrop > 0) this.repliesToDrop -= 1
    else reply(null, appendResponse(outcome, target))
  }

  async read(call: ReadCall) {
    const ending = new AbortController()
    this.#reads.set(call, ending)
    call.once('close', () => ending.abort())
    try {
      const request = readRequest(call.request)
      if (performance.now() < this.readyAt) fail(call, status.ABORTED, 'Not ready')
      else if (request.maxCount === 0) fail(call, status.INVALID_ARGUMENT, 'maxCount')
      else await this.#send(call, request, ending.signal)
    } catch (error) {
      if (!ending.signal.aborted) fail(call, status.INVALID_ARGUMENT, String(error))
    } finally {
      this.#reads.delete(call)
    }
  }

  killStreams(how: 'error' | 'end') {
    for (const [call, ending] of this.#reads) {
      ending.abort()
      if (how === 'end') call.end()
      else fail(call, status.UNAVAILABLE, 'Connection dropped')
    }
  }

  async #send(call: ReadCall, request: ReadRequest, signal: AbortSignal) {
    const { streamName, isSubscription, isBackwards } = request
    const source = () => (streamName === undefined ? this.log.events : this.log.stream(streamName))
    let next = firstIndex(source(), request)
    if (isSubscription) call.write(confirmationResponse())
    else if (streamName !== undefined && source().length === 0) call.write(streamNotFoundResponse(streamName))
    for (let sent = 0; sent < request.maxCount; next += isBackwards ? -1 : 1) {
      while (isSubscription && next >= source().length) await once(this.#appended, 'appended', { signal })
      const event = source()[next]
      if (!event) break
      if (!request.includes(event)) continue
      sent += 1
      const isTaken = call.write(eventResponse(event, streamName === undefined))
      if (!isTaken) await once(call, 'drain', { signal })
    }
    call.end()
  }
}

function fail(call: ReadCall, code: status, details: string) {
  call.emit('error', { code, details })
}

/** A read begins with what it names, a subscription behind it. */
function firstIndex(events: readonly LoggedEvent[], { streamName, from, ...request }: ReadRequest): number {
  if (from === 'start') return 0
  if (from === 'end') return request.isBackwards ? events.length - 1 : events.length
  const place = (event: LoggedEvent) => (streamName === undefined ? event.position : event.revision)
  if (request.isBackwards) return events.findLastIndex((event) => place(event) <= from)
  const index = events.findIndex((event) =>
    request.isSubscription ? place(event) > from : place(event) >= from,
  )
  return index < 0 ? events.length : index
}

function tooLarge(): Partial<ServerErrorResponse> {
  const metadata = new Metadata()
  metadata.set('exception', 'maximum-append-size-exceeded')
  metadata.set('maximum-append-size', String(maxAppendBytes))
  return { code: status.INVALID_ARGUMENT, details: 'Maximum Append Size Exceeded', metadata }
}
