import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common'
import pg from 'pg'
import type { Logger } from 'pino'
import { CONFIG, type Config } from '../config/config.ts'
import { LOGGER } from '../logging/logging.module.ts'
import { createPool, POOL, type Pool } from '../postgres/postgres.module.ts'
import { replyTimeoutMs, within } from '../postgres/reply-timeout.ts'
import { isUnreachable } from '../unreachable.ts'
import { LedgerElsewhereError } from './event-store-home.ts'
import {
  EventStore,
  type Head,
  type NewEvent,
  type PositionedEvent,
  type RecordedEvent,
} from './event-store.ts'
import { eventColumns, type EventRow, toRecordedEvent } from './postgres-event.ts'
import { PostgresListener } from './postgres-listener.ts'
import {
  type Append,
  appendAndDecisionsStatement,
  appendStatement,
  appendValues,
  decisionsStatement,
  headsStatement,
  type Question,
  questionsValue,
} from './postgres-statements.ts'
import { SharedRoundTrips } from '../shared-round-trips.ts'

/** What `append_events` raises: object_not_in_prerequisite_state. */
const keptElsewhere = '55000'

/** For decisions and for heads. Two: one whose reply is lost does not hold up all others. */
const tripsUnderWay = 2
const limits = { underWay: tripsUnderWay, questions: 512, timeoutMs: 5000 }
/** Of many events at once. */
const pageTimeoutMs = 35_000

// A plan that was made while the table was small must not scan it when it is large.
const planning = '-c enable_seqscan=off -c plan_cache_mode=force_generic_plan'

type Asked = Append | Question
/** Of an append its outcome, of a question what was found. */
type Answer = 'appended' | 'conflict' | RecordedEvent[]

/** Events in the database. What comes at the same time shares a round trip, appends a transaction and its fsync. */
@Injectable()
export class PostgresEventStore extends EventStore implements OnApplicationShutdown {
  /** Of its own, so that no other query makes an append wait for a connection. */
  readonly #connections: Pool
  readonly #listener: PostgresListener
  /** What one decision reads and what another appends travel together: a round trip costs as much as about ten of them. */
  readonly #decisions = new SharedRoundTrips((asked: Asked[]) => this.#askTogether(asked), limits)
  readonly #heads = new SharedRoundTrips((streamIds: string[]) => this.#readHeads(streamIds), limits)

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(CONFIG) config: Config,
    @Inject(LOGGER) logger: Logger,
  ) {
    super()
    this.#connections = createPool(config, logger, {
      max: 2 * tripsUnderWay,
      options: planning,
      // The server, too, forgets a statement that nobody waits for any more.
      statement_timeout: replyTimeoutMs,
      lock_timeout: replyTimeoutMs,
    })
    this.#listener = new PostgresListener(config.database.url, logger)
  }

  async readForDecision(streamId: string, operationIds: readonly string[]): Promise<RecordedEvent[]> {
    return (await this.#decisions.ask({ streamId, operationIds })) as RecordedEvent[]
  }

  readHead(streamId: string): Promise<Head | undefined> {
    return this.#heads.ask(streamId)
  }

  async append(
    streamId: string,
    expectedRevision: number,
    events: readonly NewEvent[],
  ): Promise<'appended' | 'conflict'> {
    return (await this.#decisions.ask({ streamId, expectedRevision, events })) as 'appended' | 'conflict'
  }

  async readStream(streamId: string, fromRevision = 0, limit?: number): Promise<RecordedEvent[]> {
    const text = `select ${eventColumns} from events where stream_id = $1 and revision >= $2 order by revision limit $3`
    return (await this.#page<EventRow>(text, [streamId, fromRevision, limit])).map(toRecordedEvent)
  }

  async readAll(position: number, limit: number): Promise<PositionedEvent[]> {
    const text = `select position, ${eventColumns} from events where position > $1 order by position limit $2`
    const rows = await this.#page<EventRow & { position: number }>(text, [position, limit])
    return rows.map((row) => ({ ...toRecordedEvent(row), position: row.position }))
  }

  waitForEvents(timeoutMs: number, signal: AbortSignal): Promise<void> {
    return this.#listener.wait(timeoutMs, signal)
  }

  async onApplicationShutdown() {
    await this.#listener.close()
    await this.#connections.end()
  }

  async #askTogether(asked: Asked[]): Promise<(Answer | Promise<Answer>)[]> {
    try {
      return await this.#askInOneTransaction(asked)
    } catch (error) {
      const questions = asked.filter(isQuestion)
      const isMixed = questions.length > 0 && questions.length < asked.length
      if (asked.length === 1 || (isUnreachable(error) && !isMixed)) throw error
      // Appends that cannot be made take no question with them, and one that the database cannot take none of the others.
      const found = isMixed ? this.#askTogether(questions) : undefined
      return asked.map(async (one) => {
        if (found && isQuestion(one)) return elementOf(await found, questions.indexOf(one))
        if (isUnreachable(error)) throw error
        return elementOf(await this.#askInOneTransaction([one]), 0)
      })
    }
  }

  /** In the order of `asked`. */
  async #askInOneTransaction(asked: Asked[]): Promise<Answer[]> {
    const appends = asked.filter((one) => 'events' in one)
    const questions = asked.filter(isQuestion)
    const rows = await this.#appendAndRead(appends, questions)
    const found = questions.map(() => new Map<number, RecordedEvent>())
    let refused: number[] | undefined
    for (const row of rows)
      if (row.question === null) refused = row.refused
      else elementOf(found, row.question).set(row.revision, toRecordedEvent(row))
    if (appends.length > 0 && !refused) throw new Error('PostgreSQL did not say which appends it refused')
    const conflicts = new Set(refused)
    let appendsBefore = 0
    let questionsBefore = 0
    return asked.map((one) => {
      if (!isQuestion(one)) return conflicts.has((appendsBefore += 1)) ? 'conflict' : 'appended'
      const events = [...elementOf(found, questionsBefore).values()]
      questionsBefore += 1
      return events.sort((former, latter) => former.revision - latter.revision)
    })
  }

  async #appendAndRead(appends: Append[], questions: Question[]): Promise<DecisionRow[]> {
    if (appends.length === 0) return this.#ask('decisions', decisionsStatement, [questionsValue(questions)])
    const values = appendValues(appends)
    try {
      if (questions.length === 0) return await this.#ask('append-events', appendStatement, values)
      values.push(questionsValue(questions))
      return await this.#ask('append-events-and-decide', appendAndDecisionsStatement, values)
    } catch (error) {
      throw error instanceof pg.DatabaseError && error.code === keptElsewhere
        ? new LedgerElsewhereError()
        : error
    }
  }

  async #readHeads(streamIds: string[]): Promise<(Head | undefined)[]> {
    const rows = await this.#ask<HeadRow>('heads', headsStatement, [streamIds])
    const heads = streamIds.map((): Head | undefined => undefined)
    for (const { place, revision, type, schema_version, data } of rows) {
      const index = place - 1
      heads[index] = {
        streamId: elementOf(streamIds, index),
        revision,
        type,
        schemaVersion: schema_version,
        data,
      }
    }
    return heads
  }

  async #ask<Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    const { rows } = await this.#connections.query<Row>({ ...within(replyTimeoutMs), name, text, values })
    return rows
  }

  async #page<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    const { rows } = await this.pool.query<Row>({ ...within(pageTimeoutMs), text, values })
    return rows
  }
}

function isQuestion(asked: Asked): asked is Question {
  return 'operationIds' in asked
}

/** @throws where there is none: an answer is never guessed. */
function elementOf<Element>(list: readonly Element[], index: number): Element {
  const element = list[index]
  if (element === undefined) throw new Error(`The database's answer has no place ${index}`)
  return element
}

type HeadRow = Pick<EventRow, 'revision' | 'type' | 'schema_version' | 'data'> & { place: number }

/** An event that a question found, or, without a `question`, which appends were refused. */
type DecisionRow = (EventRow & { question: number; refused?: null }) | { question: null; refused: number[] }
