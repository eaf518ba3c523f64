import type { ReadProblem } from '../../api/problem.ts'

/** In credits. */
export type Shortfall = { required: number; available: number }

/** Reads a 402's amounts from `details`, else from 'required X, available Y' in its words; null when it says neither. */
export function readShortfall(problem: ReadProblem): Shortfall | null {
  const required = problem.details?.['required_credits']
  const available = problem.details?.['available_credits']
  if (typeof required === 'number' && typeof available === 'number') return { required, available }
  const words = /required\s+(\d+(?:\.\d+)?),?\s+available\s+(\d+(?:\.\d+)?)/i.exec(problem.detail ?? '')
  return words === null ? null : { required: Number(words[1]), available: Number(words[2]) }
}
