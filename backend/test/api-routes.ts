import type { AnyContractProcedure } from '@orpc/contract'
import { apiContract } from '@earmark/contracts/api'
import type { RouteMeta } from '@earmark/contracts/route'

export type JsonSchema = {
  type?: string
  format?: string
  enum?: unknown[]
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}

export type Input = { name: string; in: 'path' | 'query' | 'body'; required: boolean; schema: JsonSchema }

/** A call of the contract with what the OpenAPI document says of its inputs. */
export type Route = {
  name: string
  method: string
  path: string
  access: RouteMeta['access']
  inputs: Input[]
  procedure: AnyContractProcedure
}

type Operation = {
  parameters?: { name: string; in: 'path' | 'query'; required?: boolean; schema: JsonSchema }[]
  requestBody?: { content: Record<string, { schema: JsonSchema }> }
}

/** Every call of the contract. @throws for one that the document does not describe. */
export function routesOf(document: { paths: Record<string, Record<string, Operation>> }): Route[] {
  return Object.entries(apiContract).flatMap(([area, procedures]) =>
    Object.entries(procedures as Record<string, AnyContractProcedure>).map(([call, procedure]) => {
      const { route, meta } = procedure['~orpc']
      const { method = '', path = '' } = route
      const operation = document.paths[path]?.[method.toLowerCase()]
      if (!operation) throw new Error(`openapi.json has no ${method} ${path}`)
      const { properties = {}, required = [] } =
        operation.requestBody?.content['application/json']?.schema ?? {}
      return {
        name: `${area}.${call}`,
        method,
        path,
        access: (meta as RouteMeta).access,
        procedure,
        inputs: [
          ...(operation.parameters ?? []).map((parameter) => ({
            ...parameter,
            required: parameter.required === true,
          })),
          ...Object.entries(properties).map(([name, schema]) => ({
            name,
            in: 'body' as const,
            required: required.includes(name),
            schema,
          })),
        ],
      }
    }),
  )
}

/** Something that the schema takes, for the required inputs; what a test then changes. */
export function soundInputs(route: Route): Record<string, unknown> {
  return Object.fromEntries(
    route.inputs.filter(({ required }) => required).map(({ name, schema }) => [name, sampleOf(schema)]),
  )
}

/** The address and body of a call with these inputs. */
export function requestOf(route: Route, inputs: Record<string, unknown>) {
  let path = route.path
  const query = new URLSearchParams()
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(inputs)) {
    const place = route.inputs.find((input) => input.name === name)?.in ?? 'query'
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (place === 'path') {
      // Nothing and dots would make it another path.
      const segment = /^\.{0,2}$/.test(text) ? 'x' : encodeURIComponent(text.toWellFormed())
      path = path.replace(`{${name}}`, () => segment)
    }
    if (place === 'query') query.append(name, text)
    if (place === 'body') body[name] = value
  }
  return {
    path: query.size > 0 ? `${path}?${query.toString()}` : path,
    body: route.method === 'GET' ? undefined : body,
  }
}

function sampleOf(schema: JsonSchema): unknown {
  const [first] = schema.anyOf ?? []
  if (first) return sampleOf(first)
  if (schema.enum) return schema.enum[0]
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(schema.minimum ?? 1, 1)
  if (schema.type === 'boolean') return true
  switch (schema.format) {
    case 'uuid':
      return '6f2f6a34-5a0c-4f43-9b0e-2f9b8d0f5a11'
    case 'email':
      return 'someone@example.org'
    case 'uri':
      return 'https://audio.example.org/episode.mp3'
    default:
      return 'a'.repeat(Math.max(schema.minLength ?? 1, 1))
  }
}
