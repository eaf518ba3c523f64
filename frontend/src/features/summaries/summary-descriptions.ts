import type { SummaryType } from '@earmark/contracts/summary-content'

export const summaryDescriptions: Record<SummaryType, string> = {
  smart_summary: 'The highlights, each with the words that were said.',
  action_plan: 'Next steps you can take from this episode.',
  thought_provoking: 'Questions worth sitting with.',
}
