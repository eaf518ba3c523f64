import { exampleEpisodes } from '@earmark/contracts/examples'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn, userEvent } from 'storybook/test'
import { ReadyToTranscribe } from './ReadyToTranscribe.tsx'

const meta: Meta<typeof ReadyToTranscribe> = {
  title: 'Transcripts/ReadyToTranscribe',
  component: ReadyToTranscribe,
  args: { episode: exampleEpisodes[0], isStarting: false, errorMessage: null, onBegin: fn() },
}
export default meta

type Story = StoryObj<typeof ReadyToTranscribe>

export const Default: Story = {
  play: async ({ canvas, args }) => {
    await expect(canvas.getByText('3 minutes')).toBeVisible()
    await expect(canvas.getByText('3.1 MB')).toBeVisible()
    await userEvent.click(canvas.getByRole('button', { name: 'Begin Transcription' }))
    await expect(args.onBegin).toHaveBeenCalledOnce()
  },
}

export const DefaultInDark: Story = { globals: { scheme: 'dark' } }
export const Starting: Story = { args: { isStarting: true } }
export const UnknownLength: Story = { args: { episode: exampleEpisodes[2] } }

export const NoAudio: Story = {
  args: { episode: exampleEpisodes[3] },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('alert')).toHaveTextContent('No audio URL available for this episode')
    await expect(canvas.getByRole('button', { name: 'Begin Transcription' })).toBeDisabled()
  },
}

export const Failed: Story = { args: { errorMessage: 'Failed to start transcription. Please try again.' } }
