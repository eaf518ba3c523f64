export type BalanceBand = 'loading' | 'empty' | 'low' | 'medium' | 'good'

/** Spec section 4: loading when unknown, empty at 0, low under 1, medium under 5, good otherwise. `credits` is null while unknown. */
export function balanceBand(credits: number | null): BalanceBand {
  if (credits === null) return 'loading'
  if (credits <= 0) return 'empty'
  if (credits < 1) return 'low'
  return credits < 5 ? 'medium' : 'good'
}
