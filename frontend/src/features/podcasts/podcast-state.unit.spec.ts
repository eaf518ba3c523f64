import { exampleEpisodes, exampleFeeds } from '@earmark/contracts/examples'
import { describe, expect, it } from 'vitest'
import {
  episodesLink,
  newTranscriptLink,
  readEpisodesState,
  readNewTranscriptState,
} from './podcast-state.ts'

describe('navigation state', () => {
  it('arrives as it was sent', () => {
    const episodes = episodesLink(exampleFeeds[0], true).state
    const transcript = newTranscriptLink(exampleEpisodes[0], exampleFeeds[0]).state
    expect(readEpisodesState(episodes)).toEqual(episodes)
    expect(readNewTranscriptState(transcript)).toEqual(transcript)
  })

  it.each([null, undefined, 'x', {}, { podcast: {} }, { podcast: { id: 'a', title: 'b' } }])(
    'of another shape is none: %j',
    (state) => {
      expect(readEpisodesState(state)).toBeNull()
      expect(readNewTranscriptState(state)).toBeNull()
    },
  )
})
