import { exampleFailedTranscript } from '@earmark/contracts/examples'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn, userEvent } from 'storybook/test'
import { TranscriptFailed } from './TranscriptProgress.tsx'

const meta: Meta<typeof TranscriptFailed> = {
  title: 'Transcripts/TranscriptFailed',
  component: TranscriptFailed,
  args: { message: exampleFailedTranscript.error_message, onRetry: fn() },
}
export default meta

type Story = StoryObj<typeof TranscriptFailed>

export const Default: Story = {
  play: async ({ canvas, args }) => {
    await expect(canvas.getByRole('alert')).toHaveTextContent('Transcription Failed')
    await userEvent.click(canvas.getByRole('button', { name: 'Try Again' }))
    await expect(args.onRetry).toHaveBeenCalledOnce()
  },
}

export const DefaultInDark: Story = { globals: { scheme: 'dark' } }
