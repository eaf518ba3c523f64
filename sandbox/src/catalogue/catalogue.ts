import { statSync } from 'node:fs'
import { extname } from 'node:path'
import { type Clip, readClips } from './clip.ts'
import { audioTypes, ownAudioShow } from './own-audio.ts'
import { sampleShows } from './sample-shows.ts'
import type { Episode, Show } from './show.ts'

/** The shows, and every address that the vendors give out for them. */
export type Catalogue = {
  baseUrl: string
  shows: readonly Show[]
  clips: ReadonlyMap<string, Clip>
}

export type Enclosure = {
  url: string
  lengthBytes: number
  contentType: string
  durationSeconds: number | null
}

export function openCatalogue(baseUrl: string, mediaFolder: string | undefined): Catalogue {
  const shows = mediaFolder === undefined ? sampleShows : [...sampleShows, ownAudioShow(mediaFolder)]
  return { baseUrl, shows, clips: readClips() }
}

/** The clip of that name, which the sample shows promise to be there. */
export function clipOf({ clips }: Catalogue, name: string): Clip {
  const clip = clips.get(name)
  if (!clip) throw new Error(`sandbox/media has no ${name}`)
  return clip
}

export function showUrl({ baseUrl }: Catalogue, { slug }: Show): string {
  return `${baseUrl}/#${slug}`
}

export function feedUrl({ baseUrl }: Catalogue, { slug }: Show): string {
  return `${baseUrl}/feeds/${slug}`
}

export function artworkUrl({ baseUrl }: Catalogue, { slug }: Show, pixels: number): string {
  return `${baseUrl}/artwork/${slug}/${pixels}x${pixels}.svg`
}

/** The audio's place below `/audio/`, not yet escaped. */
export function audioPath(show: Show, { slug, audio }: Episode): string {
  return `${show.slug}/${audio.kind === 'file' ? slug : `${slug}.mp3`}`
}

/** What the feed says of an episode's audio; `durationSeconds` is the real one, null where it is not known. */
export function enclosureOf(catalogue: Catalogue, show: Show, episode: Episode): Enclosure {
  const folder = show.countsListeners ? 'audio/counted' : 'audio'
  const path = audioPath(show, episode)
  const url = `${catalogue.baseUrl}/${folder}/${path.split('/').map(encodeURIComponent).join('/')}`
  const contentType = audioTypes[extname(path).toLowerCase()] ?? 'audio/mpeg'
  const { audio } = episode
  switch (audio.kind) {
    case 'clip':
    case 'corrupt':
    case 'breaksOff': {
      const { bytes, durationSeconds } = clipOf(catalogue, audio.clip)
      return { url, contentType, lengthBytes: bytes.length, durationSeconds }
    }
    case 'file':
      return { url, contentType, lengthBytes: statSync(audio.path).size, durationSeconds: null }
    case 'missing':
    case 'webPage':
      return { url, contentType, lengthBytes: 4_000_000, durationSeconds: null }
  }
}

/** Whether every word of the term stands somewhere in the texts, as the directories search. */
export function matches(term: string, texts: readonly string[]): boolean {
  const haystack = texts.join(' ').toLowerCase()
  const words = term.toLowerCase().split(/\s+/).filter(Boolean)
  return words.length > 0 && words.every((word) => haystack.includes(word))
}
