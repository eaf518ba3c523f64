import { exampleSummaries } from '@earmark/contracts/examples'
import { describe, expect, it } from 'vitest'
import { overviewOf, quotesOf, readSummaryContent } from './summary-content.ts'

const read = (type: keyof typeof exampleSummaries) => readSummaryContent(type, exampleSummaries[type].content)
const unreadable = { type: 'unreadable', message: 'Error parsing summary content' }

describe("a summary's content", () => {
  it.each(['smart_summary', 'action_plan', 'thought_provoking'] as const)('is read as %s', (type) => {
    expect(read(type)).toEqual({ type, content: JSON.parse(exampleSummaries[type].content) })
    expect(overviewOf(read(type))).toBeTruthy()
  })

  it('tells its quotes in order', () => {
    expect(quotesOf(read('smart_summary'))).toHaveLength(2)
    expect(quotesOf(read('action_plan'))).toEqual(['The form had no line for it.'])
    expect(quotesOf(read('thought_provoking'))).toEqual([])
  })

  it.each([null, '', '{', 'null', '[]', '"text"', '{}', exampleSummaries.action_plan.content])(
    'that is no smart summary cannot be parsed: %j',
    (json) => {
      expect(readSummaryContent('smart_summary', json)).toEqual(unreadable)
    },
  )

  it.each([
    ['action_plan', { title: 'a', overall_takeaway: 'b', next_steps: [{ action: 'only' }] }],
    ['smart_summary', { title: 'a', one_sentence_overview: 'b', key_takeaways: [1], highlights: [] }],
    [
      'thought_provoking',
      { title: 'a', deep_questions: 'b', rapid_fire_prompts: [], contextual_insight: 'c' },
    ],
  ])('with a wrong part cannot be parsed: %s', (type, content) => {
    expect(readSummaryContent(type, JSON.stringify(content))).toEqual(unreadable)
  })

  it('may leave out what is optional', () => {
    const step = { action: 'a', why_it_matters: 'b', details: 'c' }
    const json = JSON.stringify({ title: 't', next_steps: [step], overall_takeaway: 'o' })
    expect(readSummaryContent('action_plan', json).type).toBe('action_plan')
  })

  it('of another time has an unknown type', () => {
    expect(readSummaryContent('haiku', '{}')).toEqual({ type: 'unreadable', message: 'Unknown summary type' })
  })
})
