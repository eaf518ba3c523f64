import { examplePendingTranscript, exampleProcessingTranscript } from '@earmark/contracts/examples'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { TranscriptWaiting } from './TranscriptProgress.tsx'

const meta: Meta<typeof TranscriptWaiting> = {
  title: 'Transcripts/TranscriptWaiting',
  component: TranscriptWaiting,
}
export default meta

type Story = StoryObj<typeof TranscriptWaiting>

export const Pending: Story = {
  args: { transcript: examplePendingTranscript },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Queuing transcript for processing...')).toBeVisible()
    await expect(canvas.getByText('Transcript will appear here once processing begins...')).toBeVisible()
  },
}

export const Processing: Story = {
  args: { transcript: exampleProcessingTranscript },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Transcribing 3 of 12')).toBeVisible()
    await expect(canvas.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '25')
    await expect(canvas.getByText('Transcript is being processed...')).toBeVisible()
  },
}

export const ProcessingInDark: Story = { ...Processing, globals: { scheme: 'dark' } }

export const ProcessingWithoutMessage: Story = {
  args: { transcript: { ...exampleProcessingTranscript, error_message: null, progress_percent: null } },
  play: async ({ canvas }) => expect(canvas.getByText('Processing transcript...')).toBeVisible(),
}
