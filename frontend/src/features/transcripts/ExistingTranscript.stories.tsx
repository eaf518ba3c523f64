import { exampleTranscript } from '@earmark/contracts/examples'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { ExistingTranscript } from './ExistingTranscript.tsx'

const meta: Meta<typeof ExistingTranscript> = {
  title: 'Transcripts/ExistingTranscript',
  component: ExistingTranscript,
  args: {
    transcriptId: exampleTranscript.id,
    status: 'completed',
    episodeTitle: 'Why lighthouses kept two logs',
  },
}
export default meta

type Story = StoryObj<typeof ExistingTranscript>

export const Default: Story = {}
export const StillRunning: Story = { args: { status: 'processing' } }
