import {
  exampleFailedTranscript,
  examplePendingTranscript,
  exampleProcessingTranscript,
  exampleTranscript,
} from '@earmark/contracts/examples'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { TranscriptHeader } from './TranscriptHeader.tsx'

const meta: Meta<typeof TranscriptHeader> = {
  title: 'Transcripts/TranscriptHeader',
  component: TranscriptHeader,
  args: { transcript: exampleTranscript },
}
export default meta

type Story = StoryObj<typeof TranscriptHeader>

export const Completed: Story = {
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Transcript Complete')).toBeVisible()
    await expect(canvas.getByText('3 min · 428 words · 0.04 credits')).toBeVisible()
  },
}

export const CompletedInDark: Story = { globals: { scheme: 'dark' } }
export const Pending: Story = { args: { transcript: examplePendingTranscript } }
export const Processing: Story = { args: { transcript: exampleProcessingTranscript } }
export const Failed: Story = { args: { transcript: exampleFailedTranscript } }
export const Untitled: Story = { args: { transcript: { ...exampleTranscript, episode_title: null } } }
