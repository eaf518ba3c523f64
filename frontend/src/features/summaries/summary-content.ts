import type { ActionPlan, SmartSummary, ThoughtProvoking } from '@earmark/contracts/summary-content'

export type SummaryContent =
  | { type: 'smart_summary'; content: SmartSummary }
  | { type: 'action_plan'; content: ActionPlan }
  | { type: 'thought_provoking'; content: ThoughtProvoking }
  | { type: 'unreadable'; message: 'Error parsing summary content' | 'Unknown summary type' }

type Fields = Record<string, unknown>

// Small guards, since the contract's schemas would bring their validator into the browser.
const isText = (value: unknown): value is string => typeof value === 'string'
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText)
const isTextOrNone = (value: unknown) => value === undefined || value === null || isText(value)
const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null
const isListOf = (value: unknown, fits: (item: Fields) => boolean) =>
  Array.isArray(value) && value.every((item: unknown) => isObject(item) && fits(item))

function isSmartSummary(value: Fields): boolean {
  return (
    isText(value['title']) &&
    isText(value['one_sentence_overview']) &&
    isTexts(value['key_takeaways']) &&
    isListOf(value['highlights'], (item) => isText(item['point']) && isTextOrNone(item['quote']))
  )
}

function isActionPlan(value: Fields): boolean {
  return (
    isText(value['title']) &&
    isText(value['overall_takeaway']) &&
    isListOf(
      value['next_steps'],
      (step) =>
        isText(step['action']) &&
        isText(step['why_it_matters']) &&
        isText(step['details']) &&
        isTextOrNone(step['quote']) &&
        ((step['mentioned_tools'] ?? null) === null || isTexts(step['mentioned_tools'])),
    )
  )
}

function isThoughtProvoking(value: Fields): boolean {
  return (
    isText(value['title']) &&
    isTexts(value['deep_questions']) &&
    isTexts(value['rapid_fire_prompts']) &&
    isText(value['contextual_insight'])
  )
}

/** Reads a completed summary's `content` (spec section 3); whatever does not fit its type is unreadable. */
export function readSummaryContent(summaryType: string, json: string | null): SummaryContent {
  const content = parse(json)
  switch (summaryType) {
    case 'smart_summary':
      if (content !== null && isSmartSummary(content))
        return { type: summaryType, content: content as SmartSummary }
      break
    case 'action_plan':
      if (content !== null && isActionPlan(content))
        return { type: summaryType, content: content as ActionPlan }
      break
    case 'thought_provoking':
      if (content !== null && isThoughtProvoking(content))
        return { type: summaryType, content: content as ThoughtProvoking }
      break
    default:
      return { type: 'unreadable', message: 'Unknown summary type' }
  }
  return { type: 'unreadable', message: 'Error parsing summary content' }
}

function parse(json: string | null): Fields | null {
  try {
    const value: unknown = JSON.parse(json ?? '')
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** Its whole in one sentence, for the card. */
export function overviewOf(summary: SummaryContent): string | null {
  switch (summary.type) {
    case 'smart_summary':
      return summary.content.one_sentence_overview
    case 'action_plan':
      return summary.content.overall_takeaway
    case 'thought_provoking':
      return summary.content.deep_questions[0] ?? summary.content.contextual_insight
    case 'unreadable':
      return null
  }
}

/** Every quote of a summary, in its order. */
export function quotesOf(summary: SummaryContent): string[] {
  switch (summary.type) {
    case 'smart_summary':
      return summary.content.highlights.flatMap(({ quote }) => quote ?? [])
    case 'action_plan':
      return summary.content.next_steps.flatMap(({ quote }) => quote ?? [])
    case 'thought_provoking':
    case 'unreadable':
      return []
  }
}
