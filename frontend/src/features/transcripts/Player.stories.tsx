import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn, userEvent } from 'storybook/test'
import { Player } from './Player.tsx'

/** The shape of someone talking: stands in for decoded audio in these stories alone. */
const peaks = Array.from(
  { length: 160 },
  (_, bar) => 0.15 + 0.85 * Math.abs(Math.sin(bar * 1.7) * Math.cos(bar * 0.31)),
)

const meta: Meta<typeof Player> = {
  title: 'Transcripts/Player',
  component: Player,
  args: {
    state: { isPlaying: false, currentSeconds: 64, durationSeconds: 192, rate: 1.2, hasFailed: false },
    controls: { toggle: fn(), playFrom: fn(), seek: fn(), skip: fn(), nextRate: fn() },
    knownDurationSeconds: 192,
    peaks,
  },
}
export default meta

type Story = StoryObj<typeof Player>

export const Default: Story = {
  play: async ({ canvas, args }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Play' }))
    await expect(args.controls.toggle).toHaveBeenCalledOnce()
    canvas.getByRole('slider', { name: 'Position in the audio' }).focus()
    await userEvent.keyboard('{ArrowRight}')
    await expect(args.controls.seek).toHaveBeenCalledWith(65)
    await userEvent.click(canvas.getByRole('button', { name: /Speed/ }))
    await expect(args.controls.nextRate).toHaveBeenCalledOnce()
  },
}

export const DefaultInDark: Story = { globals: { scheme: 'dark' } }

export const Playing: Story = {
  args: { state: { isPlaying: true, currentSeconds: 64, durationSeconds: 192, rate: 1, hasFailed: false } },
  play: async ({ canvas }) => expect(canvas.getByRole('button', { name: 'Pause' })).toBeVisible(),
}

export const WithoutWaveform: Story = { args: { peaks: undefined } }
export const WithoutWaveformInDark: Story = { ...WithoutWaveform, globals: { scheme: 'dark' } }
export const Loading: Story = {
  args: {
    state: { isPlaying: false, currentSeconds: 0, durationSeconds: null, rate: 1, hasFailed: false },
    peaks: undefined,
  },
}
export const Failed: Story = {
  args: { state: { isPlaying: false, currentSeconds: 0, durationSeconds: null, rate: 1, hasFailed: true } },
}
