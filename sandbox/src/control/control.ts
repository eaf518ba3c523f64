import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { json, type Reply } from '../http/reply.ts'
import { vendorNames, type VendorName } from '../vendor.ts'
import { type Faults, faultSchema, faultsSchema } from './faults.ts'
import type { RequestLog } from './request-log.ts'

export type Control = { faults: Faults; requests: RequestLog }

const greatestBodyBytes = 65_536

/**
 * What tests and people turn:
 * - `/control/faults`: GET all, PUT `{<vendor>: fault}` as the only ones, DELETE all.
 * - `/control/faults/<vendor>`: PUT a fault, DELETE it.
 * - `/control/requests`: GET what the vendors were asked, DELETE to begin anew.
 */
export async function answerControl(
  { faults, requests }: Control,
  request: IncomingMessage,
  url: URL,
): Promise<Reply> {
  const [, , resource, name, ...rest] = url.pathname.split('/')
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
      const sent = await read(request, faultSchema)
      if (!sent.success) return sent.refusal
      faults.set(vendor, sent.value)
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
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length
    if (length <= greatestBodyBytes) parts.push(part)
  }
  if (length > greatestBodyBytes) return { success: false, refusal: refusal(413, 'The body is too large.') }

  let value: unknown
  try {
    value = JSON.parse(Buffer.concat(parts).toString('utf8'))
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
