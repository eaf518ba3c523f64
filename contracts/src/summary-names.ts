/** What a summary can be, as both sides show it. Constants alone: a validator would weigh on the browser's bundle. */

/** The three types, in the order in which they are offered (spec section 3). */
export const summaryTypes = ['smart_summary', 'action_plan', 'thought_provoking'] as const

/** What they are called, on the screens and in the credit history. */
export const summaryNames: Record<(typeof summaryTypes)[number], string> = {
  smart_summary: 'Smart Summary',
  action_plan: 'Action Plan',
  thought_provoking: 'Thought-Provoking',
}
