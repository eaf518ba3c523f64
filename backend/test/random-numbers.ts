/** The same numbers for the same seed. Source: Park and Miller, "Random number generators: good ones are hard to find". */
export function sequence(seed: number): () => number {
  let state = (seed % 2147483646) + 1
  return () => (state = (state * 48271) % 2147483647)
}
