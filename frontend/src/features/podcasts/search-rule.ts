export const searchDebounceMs = 800
export const episodeSearchDebounceMs = 500

const leastLastWordLength = 3

/**
 * Whether what was typed so far is searched without being asked: its last word has 3 or more characters, or it ends with
 * a space after multiple words (spec section 5).
 */
export function searchesByItself(input: string): boolean {
  const words = input.trim().split(/\s+/)
  if (/\s$/.test(input)) return words.length > 1
  return (words.at(-1) ?? '').length >= leastLastWordLength
}
