/** Without the later of two of the same id: a list that grows at its head hands some out again on the next page. */
export function eachOnce<T extends { id: string }>(items: T[]): T[] {
  const seen = new Set<string>()
  return items.filter(({ id }) => !seen.has(id) && seen.add(id))
}
