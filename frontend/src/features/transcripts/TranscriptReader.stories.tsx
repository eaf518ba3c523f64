import { exampleTranscript } from '@earmark/contracts/examples'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn } from 'storybook/test'
import { TranscriptReader } from './TranscriptReader.tsx'

const meta: Meta<typeof TranscriptReader> = {
  title: 'Transcripts/TranscriptReader',
  component: TranscriptReader,
  args: {
    transcript: exampleTranscript,
    currentSeconds: 60,
    isPlaying: true,
    onPlayFrom: fn(),
    searchField: { current: null },
  },
}
export default meta

type Story = StoryObj<typeof TranscriptReader>

export const Spoken: Story = {
  play: async ({ canvas }) =>
    expect(canvas.getByText(/Every keeper wrote/).closest('li')).toHaveAttribute('aria-current', 'true'),
}

export const SpokenInDark: Story = { globals: { scheme: 'dark' } }
export const AtRest: Story = { args: { currentSeconds: 0, isPlaying: false } }
