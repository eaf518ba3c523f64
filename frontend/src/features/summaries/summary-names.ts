import type { SummaryType } from '@earmark/contracts/summary-content'

/** In the order in which they are offered. The list is the contract's, whose module would bring its validator along. */
export const summaryTypesInOrder = [
  'smart_summary',
  'action_plan',
  'thought_provoking',
] as const satisfies SummaryType[]

export const summaryNames: Record<SummaryType, string> = {
  smart_summary: 'Smart Summary',
  action_plan: 'Action Plan',
  thought_provoking: 'Thought-Provoking',
}

export const summaryDescriptions: Record<SummaryType, string> = {
  smart_summary: 'The highlights, each with the words that were said.',
  action_plan: 'Next steps you can take from this episode.',
  thought_provoking: 'Questions worth sitting with.',
}
