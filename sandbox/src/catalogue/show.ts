/** Where an episode's audio comes from, and how it misbehaves. */
export type EpisodeAudio =
  | { kind: 'clip'; clip: string }
  | { kind: 'file'; path: string }
  /** The link is dead. */
  | { kind: 'missing' }
  /** A web page that says it is audio/mpeg. */
  | { kind: 'webPage' }
  /** A clip whose bytes were damaged. */
  | { kind: 'corrupt'; clip: string }
  /** The connection breaks half way, each time. */
  | { kind: 'breaksOff'; clip: string }

export type DurationForm = 'seconds' | 'mm:ss' | 'hh:mm:ss'

export type Episode = {
  slug: string
  title: string
  descriptionHtml: string
  publishedAt: Date
  /** How the feed writes the real length, or what it says instead; null where it says nothing. */
  feedDuration: { form: DurationForm } | { says: string } | null
  audio: EpisodeAudio
}

export type Show = {
  slug: string
  title: string
  author: string
  ownerName: string
  description: string
  categories: string[]
  /** Artwork: the square's colour and the letter on it. */
  colour: string
  initial: string
  /** The show's id in each directory; null where that directory does not have it. */
  podcastIndexId: number | null
  itunesId: number | null
  /** Apple often holds another spelling of the address than the index does. */
  itunesFeedEndsInSlash: boolean
  /** Enclosures go through a redirect that counts listeners, as many hosts' do. */
  countsListeners: boolean
  /** Newest first. */
  episodes: Episode[]
}
