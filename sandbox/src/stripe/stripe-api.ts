import { type Form, parseForm } from './form.ts'
import type { StripeAccount } from './stripe-account.ts'
import { readSessionParams } from './session-params.ts'
import { missing, StripeError } from './stripe-error.ts'

export type ApiRequest = { method: string; path: string; query: Form; body: string }

type Row = { id: string; object: string }

/** Stripe's API under `/v1`, as far as Earmark asks of it. @throws StripeError where Stripe refuses. */
export function answerApi(account: StripeAccount, request: ApiRequest): unknown {
  const [, , ...parts] = request.path.split('/')
  const isSessions = parts[0] === 'checkout' && parts[1] === 'sessions'
  const [resource = '', id, action] = isSessions ? ['checkout/sessions', ...parts.slice(2)] : parts
  const read = request.method === 'GET'
  switch (`${request.method} ${resource}`) {
    case 'POST checkout/sessions':
      return changeSession(account, id, action, request.body)
    case 'GET checkout/sessions':
      if (id === undefined) return listSessions(account, request.query)
      if (action === 'line_items') return account.checkout(id).lineItems
      return expanded(account, account.checkout(id).session, expandOf(request.query))
    case 'GET payment_intents':
      return one(account, account.intents, 'payment_intent', 'intent', id, request.query)
    case 'GET charges':
      return one(account, account.charges, 'charge', 'id', id, request.query)
    case 'GET refunds':
      return one(account, account.refunds, 'refund', 'id', id, request.query)
    case 'GET events':
      return id === undefined
        ? listEvents(account, request.query)
        : one(account, account.events, 'event', 'id', id, request.query)
    case 'POST refunds':
      return createRefund(account, parseForm(request.body))
    case 'GET balance':
      return balance(account)
    case 'GET webhook_endpoints':
      return {
        object: 'list',
        data: webhookEndpoints(account),
        has_more: false,
        url: '/v1/webhook_endpoints',
      }
    case 'POST tokens':
      // Cards are typed into the card page alone.
      throw new StripeError(400, {
        code: 'parameter_missing',
        message: 'You must supply either a card, customer, PII data, bank account, or account information.',
      })
    default:
      throw new StripeError(404, {
        message:
          `Unrecognized request URL (${request.method}: ${request.path}). Please see https://stripe.com/docs ` +
          `or we can help at https://support.stripe.com/.${read ? '' : ' The sandbox knows what Earmark asks.'}`,
      })
  }
}

function changeSession(
  account: StripeAccount,
  id: string | undefined,
  action: string | undefined,
  body: string,
) {
  if (id === undefined) {
    const { params, form } = readSessionParams(body)
    return expanded(account, account.createSession(params), expandOf(form))
  }
  const checkout = account.checkout(id)
  if (action !== 'expire') throw new StripeError(404, { message: `Unrecognized request URL (POST: ${id}).` })
  account.expire(checkout)
  return expanded(account, checkout.session, expandOf(parseForm(body)))
}

function one(
  account: StripeAccount,
  all: ReadonlyMap<string, Row>,
  kind: string,
  param: string,
  id: string | undefined,
  query: Form,
): unknown {
  const found = id === undefined ? undefined : all.get(id)
  if (!found) throw missing(kind, id ?? '', param)
  return expanded(account, found, expandOf(query))
}

function listSessions(account: StripeAccount, query: Form): unknown {
  const { payment_intent: intent, status } = query
  const sessions = [...account.checkouts.values()]
    .map(({ session }) => session)
    .filter((session) => intent === undefined || session.payment_intent === intent)
    .filter((session) => status === undefined || session.status === status)
  return page(account, '/v1/checkout/sessions', sessions, query)
}

function listEvents(account: StripeAccount, query: Form): unknown {
  const types = [query['type'] ?? [], query['types'] ?? []].flat()
  const events = [...account.events.values()].filter(({ type }) => types.length === 0 || types.includes(type))
  return page(account, '/v1/events', events, query)
}

/** Where the events go, as the endpoint that somebody would have added in the dashboard. */
function webhookEndpoints({ webhooks }: StripeAccount): unknown[] {
  if (webhooks.target.url === null) return []
  return [
    {
      id: 'we_sandbox',
      object: 'webhook_endpoint',
      api_version: null,
      application: null,
      created: 0,
      description: null,
      enabled_events: ['*'],
      livemode: false,
      metadata: {},
      status: 'enabled',
      url: webhooks.target.url,
    },
  ]
}

/** Newest first, by Stripe's cursors. */
function page(
  account: StripeAccount,
  url: string,
  rows: (Row & { created: number })[],
  query: Form,
): unknown {
  const created = typeof query['created'] === 'object' ? (query['created'] as Form) : {}
  const since = Math.max(Number(created['gte'] ?? 0), Number(created['gt'] ?? -1) + 1)
  const until = Math.min(Number(created['lte'] ?? Infinity), Number(created['lt'] ?? Infinity) - 1)
  const inTime = rows.filter((row) => row.created >= since && row.created <= until).reverse()
  const { starting_after: after, ending_before: before } = query
  const limit = Number(query['limit'] ?? 10)
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    throw new StripeError(400, { message: 'Limit must be between 1 and 100.', param: 'limit' })
  }
  const from = after === undefined ? 0 : inTime.findIndex(({ id }) => id === after) + 1
  const to = before === undefined ? inTime.length : inTime.findIndex(({ id }) => id === before)
  const window = inTime.slice(from, to)
  const data = before === undefined ? window.slice(0, limit) : window.slice(-limit)
  const paths = expandOf(query)
    .filter((path) => path.startsWith('data.'))
    .map((path) => path.slice('data.'.length))
  return {
    object: 'list',
    data: data.map((row) => expanded(account, row, paths)),
    has_more: window.length > data.length,
    url,
  }
}

function createRefund(account: StripeAccount, form: Form): unknown {
  const { payment_intent: intentId, charge: chargeId, amount, reason, metadata } = form
  const intent = typeof intentId === 'string' ? account.intents.get(intentId) : undefined
  if (typeof intentId === 'string' && !intent) throw missing('payment_intent', intentId, 'payment_intent')
  const id = intent ? intent.latest_charge : chargeId
  const charge = typeof id === 'string' ? account.charges.get(id) : undefined
  if (typeof id === 'string' && !charge) throw missing('charge', id, 'charge')
  if (!charge) {
    throw new StripeError(400, {
      code: 'parameter_missing',
      message: 'One of the following params should be provided for this request: payment_intent or charge.',
    })
  }
  const refund = account.refund(charge, {
    ...(amount !== undefined && { amount: Number(amount) }),
    reason: typeof reason === 'string' ? reason : null,
    metadata: typeof metadata === 'object' ? (metadata as Record<string, string>) : {},
  })
  return expanded(account, refund, expandOf(form))
}

function balance({ charges }: StripeAccount): unknown {
  const taken = [...charges.values()].reduce(
    (sum, charge) => sum + charge.amount_captured - charge.amount_refunded,
    0,
  )
  return {
    object: 'balance',
    available: [{ amount: 0, currency: 'usd', source_types: { card: 0 } }],
    connect_reserved: [{ amount: 0, currency: 'usd' }],
    livemode: false,
    pending: [{ amount: taken, currency: 'usd', source_types: { card: taken } }],
  }
}

function expandOf({ expand }: Form): string[] {
  return [expand ?? []].flat().filter((path) => typeof path === 'string')
}

/** The object with what the ids at these paths stand for (https://docs.stripe.com/api/expanding_objects). */
function expanded(account: StripeAccount, object: Row, paths: string[]): unknown {
  const result: Record<string, unknown> = { ...object }
  const names = new Set(paths.map((path) => path.split('.')[0] ?? ''))
  for (const name of names) {
    const below = paths
      .filter((path) => path.startsWith(`${name}.`))
      .map((path) => path.slice(name.length + 1))
    if (object.object === 'checkout.session' && name === 'line_items') {
      result[name] = account.checkout(object.id).lineItems
      continue
    }
    const all = name === 'payment_intent' ? account.intents : undefined
    const known = all ?? (name === 'latest_charge' || name === 'charge' ? account.charges : undefined)
    if (!known || !(name in object)) {
      throw new StripeError(400, { message: `This property cannot be expanded (${name}).`, param: 'expand' })
    }
    const child = known.get(String(result[name]))
    if (child) result[name] = expanded(account, child, below)
  }
  return result
}
