import { apiContract } from '@earmark/contracts/api'
import {
  apiExamples,
  exampleFailedSummary,
  exampleFailedTranscript,
  examplePendingTranscript,
  exampleProcessingSummary,
  exampleProcessingTranscript,
  exampleSummaries,
} from '@earmark/contracts/examples'
import { summarySchema } from '@earmark/contracts/summaries'
import { summaryContentSchemas } from '@earmark/contracts/summary-content'
import { transcriptSchema } from '@earmark/contracts/transcripts'
import { type AnyContractProcedure, isContractProcedure } from '@orpc/contract'
import type { HttpHandler } from 'msw'
import * as z from 'zod'
import { describe, expect, it } from 'vitest'
import { apiHandlers } from './api-handlers.ts'
import { expectAccepted, routeOf } from './mock-call.ts'

type Call = {
  name: string
  procedure: AnyContractProcedure
  handler: HttpHandler | undefined
  example: unknown
}

const byKey = (value: unknown) => (value ?? {}) as Record<string, unknown>

function callsOf(contract: object, handlers: unknown, examples: unknown, prefix = ''): Call[] {
  return Object.entries(contract).flatMap(([key, part]: [string, object]) => {
    const [handler, example] = [byKey(handlers)[key], byKey(examples)[key]]
    const name = `${prefix}${key}`
    return isContractProcedure(part)
      ? [{ name, procedure: part, handler: handler as HttpHandler | undefined, example }]
      : callsOf(part, handler, example, `${name}.`)
  })
}

const calls = callsOf(apiContract, apiHandlers, apiExamples)

describe('the mocks', () => {
  it('know every area of the contract', () => {
    expect(calls.length).toBeGreaterThan(0)
    expect(Object.keys(apiHandlers).sort()).toEqual(Object.keys(apiContract).sort())
  })

  it.each(calls)('answer $name at its own method and path', ({ procedure, handler }) => {
    const { method, path } = routeOf(procedure)
    expect(handler?.info.method).toBe(method)
    expect(handler?.info.path).toBe(path)
  })

  it.each(calls)('have an example of $name that its contract accepts', ({ procedure, example }) => {
    const schema: unknown = procedure['~orpc'].outputSchema
    expect(schema).toBeInstanceOf(z.ZodType)
    expect((schema as z.ZodType).safeParse(example).error).toBeUndefined()
  })

  it.each([
    [apiContract.payments.sessionStatus, '?session_id=cs_test_example', null],
    [apiContract.payments.completePayment, '?session_id=cs_test_example', null],
    [apiContract.payments.createCheckoutSession, '', { package_id: 'regular' }],
  ])('accept what the contract accepts, and nothing else: %#', (procedure, query, body) => {
    const url = new URL(`http://127.0.0.1/${query}`)
    expect(() => expectAccepted(procedure, { url, params: {}, body })).not.toThrow()
    const nothing = { url: new URL(url.origin), params: {}, body: null }
    expect(() => expectAccepted(procedure, nothing)).toThrow('what its contract refuses')
  })

  it.each([examplePendingTranscript, exampleProcessingTranscript, exampleFailedTranscript])(
    'have a $status transcript that the contract accepts',
    (transcript) => {
      expect(transcriptSchema.safeParse(transcript).error).toBeUndefined()
    },
  )

  it.each([exampleProcessingSummary, exampleFailedSummary])(
    'have a $status summary that the contract accepts',
    (summary) => {
      expect(summarySchema.safeParse(summary).error).toBeUndefined()
    },
  )

  it.each(Object.values(exampleSummaries))(
    'have a $summary_type with the content of its type',
    ({ summary_type, content }) => {
      expect(summaryContentSchemas[summary_type].safeParse(JSON.parse(content)).error).toBeUndefined()
    },
  )
})
