import type { SummaryType } from '@earmark/contracts/summary-content'

/** What the types are called on the screens. */
export const summaryNames: Record<SummaryType, string> = {
  smart_summary: 'Smart Summary',
  action_plan: 'Action Plan',
  thought_provoking: 'Thought-Provoking',
}
