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
    searchField: null,
    quotes: new Map([[2, [{ from: 41, to: 105 }]]]),
    aiOutputs: <h2>AI Outputs</h2>,
    shown: null,
  },
}
export default meta

type Story = StoryObj<typeof TranscriptReader>

export const Spoken: Story = {
  play: async ({ canvas }) => {
    await expect(canvas.getByText(/Every keeper wrote/).closest('li')).toHaveAttribute('aria-current', 'true')
    await expect(
      canvas.getByText('One book for the harbour, and one for the keeper who came after.', {
        selector: 'mark',
      }),
    ).toBeVisible()
  },
}

export const SpokenInDark: Story = { globals: { scheme: 'dark' } }
export const AtRest: Story = { args: { currentSeconds: 0, isPlaying: false } }
