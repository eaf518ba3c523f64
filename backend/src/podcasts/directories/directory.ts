/** A show as a directory knows it. Addresses are as the directory gave them. */
export type FoundShow = {
  feedUrl: string
  originalUrl: string
  title: string
  description: string
  image: string
  artwork: string
  link: string
}

export type Directory = {
  name: string
  /** @throws where the directory does not answer, or not as it should. */
  search: (term: string, signal: AbortSignal) => Promise<FoundShow[]>
}
