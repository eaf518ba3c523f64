import type { Episode, Feed } from '@earmark/contracts/podcasts'
import { episodesPath } from './slug.ts'

/** Spec section 3: what of a podcast and of an episode is passed between screens. */
export type PassedPodcast = Pick<Feed, 'id' | 'title' | 'description' | 'image' | 'url'>
export type PassedEpisode = Pick<Episode, 'id' | 'title' | 'audio_url' | 'duration_seconds'> & {
  filesize_mb?: number | null
}

export type EpisodesState = { podcast: PassedPodcast; feedUrl: string; canGoBack: boolean }
export type NewTranscriptState = { episode: PassedEpisode; podcast: PassedPodcast; feedUrl: string }

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isPodcast(value: unknown): value is PassedPodcast {
  return isObject(value) && typeof value['id'] === 'string' && typeof value['title'] === 'string'
}

/** Navigation state outlives releases in the browser's history, so its shape is checked. */
export function readEpisodesState(state: unknown): EpisodesState | null {
  return isObject(state) && isPodcast(state['podcast']) && typeof state['feedUrl'] === 'string'
    ? (state as EpisodesState)
    : null
}

export function readNewTranscriptState(state: unknown): NewTranscriptState | null {
  return isObject(state) &&
    isPodcast(state['podcast']) &&
    isObject(state['episode']) &&
    typeof state['episode']['id'] === 'string' &&
    typeof state['episode']['title'] === 'string'
    ? (state as NewTranscriptState)
    : null
}

export function episodesLink(
  podcast: PassedPodcast,
  canGoBack: boolean,
): { to: string; state: EpisodesState } {
  const { id, title, description, image, url } = podcast
  return {
    to: episodesPath(podcast),
    state: { podcast: { id, title, description, image, url }, feedUrl: url, canGoBack },
  }
}

export function newTranscriptLink(
  episode: Episode,
  podcast: PassedPodcast,
): { to: string; state: NewTranscriptState } {
  const { id, title, audio_url, duration_seconds, filesize_mb } = episode
  return {
    to: '/transcript/new',
    state: {
      episode: { id, title, audio_url, duration_seconds, filesize_mb },
      podcast: episodesLink(podcast, false).state.podcast,
      feedUrl: podcast.url,
    },
  }
}
