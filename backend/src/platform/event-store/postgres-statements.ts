import type { NewEvent } from './event-store.ts'
import { eventColumns } from './postgres-event.ts'

/** `append_events` tells it to whoever listens. */
export const eventsChannel = 'earmark_events'

export type Append = { streamId: string; expectedRevision: number; events: readonly NewEvent[] }
export type Question = { streamId: string; operationIds: readonly string[] }

/** $1 to $12: `appendValues`. Answers which are `refused`, counted from 1. */
export const appendStatement =
  'select null::int as question, append_events($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) as refused'

/**
 * What decisions need of their streams, `questions`: the parameter of `questionsValue`. The last event, and those that an
 * operation wrote or that refer to one. An event that is more than one of these comes more than once. `question` is the
 * place of the question.
 */
const decisionsOf = (questions: string) => `
  select wanted.place as question, found.*
  from jsonb_to_recordset(${questions}::jsonb) as wanted(place int, stream_id text, operation_ids text[])
  cross join lateral (
    (select ${eventColumns} from events where stream_id = wanted.stream_id order by revision desc limit 1)
    union all
    select written.* from unnest(wanted.operation_ids) as operation(id) cross join lateral (
      select ${eventColumns} from events where stream_id || '' = wanted.stream_id and operation_id = operation.id limit 1
    ) written
    union all
    select referring.* from unnest(wanted.operation_ids) as operation(id) cross join lateral (
      select ${eventColumns} from events where stream_id || '' = wanted.stream_id and refers_to = operation.id offset 0
    ) referring
  ) found`

/** $1: `questionsValue`. */
export const decisionsStatement = decisionsOf('$1')

/**
 * Both at once; $13: `questionsValue`. The questions see what was there when the statement began, so none of its appends:
 * whoever decides on what was found is refused by the append that follows, where it was not the newest.
 */
export const appendAndDecisionsStatement = `
  select decision.*, null::int[] as refused from (${decisionsOf('$13')}) decision
  union all
  select appended.question, ${eventColumns.replaceAll(/\w+/g, 'null')}, appended.refused from (${appendStatement}) appended`

/** What the last events of the streams $1 say; `place` counts from 1. */
export const headsStatement = `
  select wanted.place::int, head.*
  from unnest($1::text[]) with ordinality as wanted(stream_id, place) cross join lateral (
    select revision, type, schema_version, data from events where events.stream_id = wanted.stream_id
    order by revision desc limit 1
  ) head`

/** The parameters of `append_events`, which migration 0010 explains. */
export function appendValues(appends: readonly Append[]): unknown[] {
  const items = appends.flatMap(({ expectedRevision, events }, index) =>
    events.map((event, place) => ({ ...event, stream: index + 1, revision: expectedRevision + 1 + place })),
  )
  return [
    appends.map(({ streamId }) => streamId),
    appends.map(({ expectedRevision }) => expectedRevision),
    items.map(({ stream }) => stream),
    items.map(({ revision }) => revision),
    items.map(({ eventId }) => eventId),
    items.map(({ type }) => type),
    items.map(({ schemaVersion }) => schemaVersion),
    items.map(({ data }) => JSON.stringify(data)),
    items.map(({ metadata }) => JSON.stringify(metadata)),
    items.map(({ operationId }) => operationId),
    items.map(({ refersTo }) => refersTo ?? null),
    items.map(({ recordedAt }) => recordedAt ?? null),
  ]
}

export function questionsValue(questions: readonly Question[]): string {
  return JSON.stringify(
    questions.map(({ streamId, operationIds }, place) => ({
      place,
      stream_id: streamId,
      operation_ids: operationIds,
    })),
  )
}
