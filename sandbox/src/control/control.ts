import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { readText } from '../http/body.ts'
import { json, type Reply } from '../http/reply.ts'
import type { StripeAccount } from '../stripe/stripe-account.ts'
import { answerStripeControl } from '../stripe/stripe.control.ts'
import { vendorNames, type VendorName } from '../vendor-name.ts'
import { type Faults, faultsSchema } from './faults.ts'
import type { RequestLog } from './request-log.ts'

export type Control = { faults: Faults; requests: RequestLog; stripe: StripeAccount }

const greatestBodyBytes = 65_536

/**
 * What tests and people turn:
 * - `/control/faults`: GET all, PUT `{<vendor>: fault}` as the only ones, DELETE all.
 * - `/control/faults/<vendor>`: PUT a fault, DELETE it.
 * - `/control/requests`: GET what the vendors were asked, DELETE to begin anew.
 * - `/control/stripe` and below: see `answerStripeControl`.
 */
export async function answerControl(
  { faults, requests, stripe }: Control,
  request: IncomingMessage,
  url: URL,
): Promise<Reply> {
  const [, , resource, name, ...rest] = url.pathname.split('/')
  if (resource === 'stripe') {
    const sent = request.method === 'GET' ? undefined : await read(request, z.unknown())
    if (sent?.success === false) return sent.refusal
    const path = url.pathname.split('/').slice(3)
    return answerStripeControl(stripe, request.method ?? '', path, sent?.value)
  }
  if (rest.length > 0) return refusal(404, 'No such control.')
  if (resource === 'requests' && name === undefined) {
    switch (request.method) {
      case 'GET':
        return json(200, { requests: requests.all })
      case 'DELETE':
        requests.clear()
        return { status: 204 }
      default:
        return refusal(405, 'GET or DELETE.')
    }
  }
  if (resource !== 'faults') return refusal(404, 'No such control.')
  if (name === undefined) return answerFaults(faults, request)
  const vendor = z.enum(vendorNames).safeParse(name)
  return vendor.success ? answerFault(faults, vendor.data, request) : refusal(404, 'No such vendor.')
}

async function answerFaults(faults: Faults, request: IncomingMessage): Promise<Reply> {
  switch (request.method) {
    case 'GET':
      return json(200, { faults: faults.all })
    case 'PUT': {
      const sent = await read(request, faultsSchema)
      if (!sent.success) return sent.refusal
      faults.replaceAll(sent.value)
      return json(200, { faults: faults.all })
    }
    case 'DELETE':
      faults.replaceAll({})
      return { status: 204 }
    default:
      return refusal(405, 'GET, PUT or DELETE.')
  }
}

async function answerFault(faults: Faults, vendor: VendorName, request: IncomingMessage): Promise<Reply> {
  switch (request.method) {
    case 'PUT': {
      const of = z.unknown().transform((fault) => ({ [vendor]: fault }))
      const sent = await read(request, of.pipe(faultsSchema))
      if (!sent.success) return sent.refusal
      const fault = sent.value[vendor]
      if (fault) faults.set(vendor, fault)
      return json(200, { faults: faults.all })
    }
    case 'DELETE':
      faults.clear(vendor)
      return { status: 204 }
    default:
      return refusal(405, 'PUT or DELETE.')
  }
}

type Read<T> = { success: true; value: T } | { success: false; refusal: Reply }

async function read<T>(request: IncomingMessage, schema: z.ZodType<T>): Promise<Read<T>> {
  const body = await readText(request, greatestBodyBytes)
  if (body === undefined) return { success: false, refusal: refusal(413, 'The body is too large.') }

  let value: unknown
  try {
    value = body === '' ? undefined : JSON.parse(body)
  } catch {
    return { success: false, refusal: refusal(400, 'The body is not JSON.') }
  }
  const parsed = schema.safeParse(value)
  return parsed.success
    ? { success: true, value: parsed.data }
    : { success: false, refusal: refusal(422, z.prettifyError(parsed.error)) }
}

function refusal(status: number, detail: string): Reply {
  return json(status, { detail })
}
