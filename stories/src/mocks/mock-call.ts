import { apiBase, type apiContract } from '@earmark/contracts/api'
import { type Problem, type ProblemCode, problemStatus } from '@earmark/contracts/problems'
import type { AnyContractProcedure, InferContractRouterOutputs } from '@orpc/contract'
import { delay, http, HttpResponse, type HttpHandler } from 'msw'
import * as z from 'zod'

type Output<P extends AnyContractProcedure> = InferContractRouterOutputs<P>
type Respond<P extends AnyContractProcedure> = (request: {
  url: URL
  params: Record<string, unknown>
  body: unknown
}) => Output<P>
type Answer<P extends AnyContractProcedure> =
  Output<P> | ((request: { url: URL; params: Record<string, unknown>; body: unknown }) => Output<P>)

/** The method and the address of a call, as MSW writes addresses. */
export function routeOf(procedure: AnyContractProcedure): { method: string; path: string } {
  const { method, path } = procedure['~orpc'].route
  if (method === undefined || path === undefined) throw new Error('A call without a method or a path')
  return { method, path: `*${apiBase}${path.replaceAll(/\{\+?([^}]+)\}/g, ':$1')}` }
}

function handle(
  procedure: AnyContractProcedure,
  resolve: Parameters<typeof http.all>[1],
  options: { once?: boolean } = {},
): HttpHandler {
  const { method, path } = routeOf(procedure)
  switch (method) {
    case 'GET':
      return http.get(path, resolve, options)
    case 'POST':
      return http.post(path, resolve, options)
    case 'PATCH':
      return http.patch(path, resolve, options)
    case 'DELETE':
      return http.delete(path, resolve, options)
    default:
      throw new Error(`No mock for ${method}`)
  }
}

type Sent = { url: URL; params: Record<string, unknown>; body: unknown }

/** The API would refuse what does not fit the contract: a story is told at once, with what is wrong. */
export function expectAccepted(procedure: AnyContractProcedure, { url, params, body }: Sent): void {
  const { route } = procedure['~orpc']
  const schema: unknown = procedure['~orpc'].inputSchema
  if (!(schema instanceof z.ZodType)) return
  const query = Object.fromEntries(url.searchParams)
  const input =
    route.inputStructure === 'detailed'
      ? { params, query, body: body ?? undefined }
      : { ...params, ...(route.method === 'GET' ? query : (body as object | null)) }
  const { error } = schema.safeParse(input)
  if (error !== undefined) {
    throw new Error(
      `${route.method} ${route.path} was asked for with what its contract refuses: ${error.message}`,
    )
  }
}

/** Answers a call with what its contract allows, and nothing else. */
export function answer<P extends AnyContractProcedure>(procedure: P, output: Answer<P>): HttpHandler {
  return handle(procedure, async ({ request, params }) => {
    const text = await request.text()
    const body: unknown = text === '' ? null : JSON.parse(text)
    expectAccepted(procedure, { url: new URL(request.url), params, body })
    const value =
      typeof output === 'function'
        ? (output as Respond<P>)({ url: new URL(request.url), params, body })
        : output
    return HttpResponse.json(value as Record<string, unknown>)
  })
}

type Refusal = { code: ProblemCode; detail: string; details?: Record<string, unknown> | undefined }

function refusal({ code, detail, details }: Refusal) {
  const problem: Problem = { detail, code, ...(details !== undefined && { details }) }
  return HttpResponse.json(problem, { status: problemStatus[code] })
}

/** Refuses a call as the API would. */
export function refuse(
  procedure: AnyContractProcedure,
  code: ProblemCode,
  detail: string,
  details?: Record<string, unknown>,
): HttpHandler {
  return handle(procedure, () => refusal({ code, detail, details }))
}

/** Refuses the first call; the next handler answers the rest. `onRefused` is called with it. */
export function refuseOnce(
  procedure: AnyContractProcedure,
  refused: Refusal,
  onRefused?: () => void,
): HttpHandler {
  return handle(
    procedure,
    () => {
      onRefused?.()
      return refusal(refused)
    },
    { once: true },
  )
}

/** Never answers: what a screen shows while it waits. */
export function keepWaiting(procedure: AnyContractProcedure): HttpHandler {
  return handle(procedure, async () => {
    await delay('infinite')
    return HttpResponse.error()
  })
}

/** The connection breaks. */
export function breakOff(procedure: AnyContractProcedure): HttpHandler {
  return handle(procedure, () => HttpResponse.error())
}

/** One handler for each call of the contract: a missing one does not compile. */
export type HandlersOf<Router> = {
  [Key in keyof Router]: Router[Key] extends AnyContractProcedure ? HttpHandler : HandlersOf<Router[Key]>
}
export type ApiHandlers = HandlersOf<typeof apiContract>
