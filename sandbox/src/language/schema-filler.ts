import { overviewOf, titleOf } from './essence.ts'
import { best, type Ranked } from './ranking.ts'
import { pointOf } from './phrasing.ts'

type JsonSchema = { [keyword: string]: unknown }

/** Fills any JSON schema with sentences of the text, so that an answer meets the schema that came with the question. */
export function fill(schema: unknown, text: Ranked): unknown {
  const said = best(text, 20).map((sentence) => sentence.text)
  let next = 0
  const sentence = () => said[next++ % Math.max(1, said.length)] ?? overviewOf(text)
  const root = isSchema(schema) ? schema : {}

  const filled = (given: unknown, name: string, depth: number): unknown => {
    const part = resolved(isSchema(given) ? given : {}, root)
    if ('const' in part) return part['const']
    if (Array.isArray(part['enum'])) return part['enum'][0]
    const [choice] = [part['anyOf'], part['oneOf'], part['allOf']].filter(Array.isArray)
    if (choice)
      return filled(choice.find((option) => isSchema(option) && option['type'] !== 'null') ?? {}, name, depth)
    const types = [part['type']].flat()
    switch (types.find((type) => type !== 'null') ?? (part['properties'] ? 'object' : 'null')) {
      case 'object':
        return objectOf(part, (child, key) => (depth > 12 ? null : filled(child, key, depth + 1)))
      case 'array': {
        const least = Number(part['minItems'] ?? 0)
        const length = Math.max(least, Math.min(3, Number(part['maxItems'] ?? 3)))
        return Array.from({ length }, () => filled(part['items'], name, depth + 1))
      }
      case 'string':
        if (/title|heading/i.test(name)) return titleOf(text)
        return /quote/i.test(name) ? sentence() : pointOf(sentence())
      case 'integer':
      case 'number':
        return Number(part['minimum'] ?? 1)
      case 'boolean':
        return false
      default:
        return null
    }
  }
  return filled(root, '', 0)
}

/** The value with no more items in a list than the schema allows. */
export function cutTo(schema: unknown, value: unknown): unknown {
  if (!isSchema(schema)) return value
  if (Array.isArray(value))
    return value.slice(0, Number(schema['maxItems'] ?? Infinity)).map((item) => cutTo(schema['items'], item))
  if (!isSchema(value) || !isSchema(schema['properties'])) return value
  const { properties } = schema
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, cutTo(properties[name], part)]),
  )
}

function objectOf(schema: JsonSchema, valueOf: (schema: unknown, name: string) => unknown): unknown {
  const properties = isSchema(schema['properties']) ? schema['properties'] : {}
  return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, valueOf(part, name)]))
}

function resolved(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const reference = schema['$ref']
  if (typeof reference !== 'string') return schema
  const path = reference.replace(/^#\/?/, '').split('/').filter(Boolean)
  const found = path.reduce<unknown>((part, name) => (isSchema(part) ? part[name] : undefined), root)
  return isSchema(found) ? found : {}
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
