import type { Transcript } from '@earmark/contracts/transcripts'
import type { NewTranscriptState } from '../podcasts/podcast-state.ts'

/** Back to the start with the same episode, as far as the transcript knows it. */
export function retryLink(transcript: Transcript): { to: string; state: NewTranscriptState } {
  return {
    to: '/transcript/new',
    state: {
      episode: {
        id: transcript.episode_id,
        title: transcript.episode_title ?? 'Untitled Episode',
        audio_url: transcript.audio_url,
        duration_seconds: transcript.duration_seconds,
      },
      podcast: {
        id: '',
        title: transcript.podcast_title ?? 'Unknown Podcast',
        description: '',
        image: '',
        url: '',
      },
      feedUrl: '',
    },
  }
}
