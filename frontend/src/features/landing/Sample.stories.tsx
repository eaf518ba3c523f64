import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn, userEvent } from 'storybook/test'
import { Sample } from './Sample.tsx'

const atRest = { isPlaying: false, currentSeconds: 0, durationSeconds: null, rate: 1, hasFailed: false }

const meta: Meta<typeof Sample> = {
  title: 'Landing/Sample',
  component: Sample,
  args: {
    state: atRest,
    controls: { toggle: fn(), playFrom: fn(), seek: fn(), skip: fn(), nextRate: fn() },
  },
  decorators: [(Story) => <div style={{ maxWidth: 503 }}>{Story()}</div>],
}
export default meta

type Story = StoryObj<typeof Sample>

/** A quote's time in the summary leads to where it was said. */
export const Default: Story = {
  play: async ({ canvas, args }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Play the sample' }))
    await expect(args.controls.toggle).toHaveBeenCalledOnce()
    const [, inSummary] = canvas.getAllByRole('button', { name: 'Play from 0:27' })
    if (inSummary === undefined) throw new Error('The summary has no time')
    await userEvent.click(inSummary)
    await expect(args.controls.playFrom).toHaveBeenLastCalledWith(27.474)
  },
}

export const DefaultInDark: Story = { globals: { scheme: 'dark' } }

export const Playing: Story = {
  args: { state: { ...atRest, isPlaying: true, currentSeconds: 83, durationSeconds: 170.9 } },
  play: async ({ canvas }) => {
    const spoken = canvas.getAllByText('A record is honest when nobody marks it.')[0]?.closest('li')
    await expect(spoken).toHaveAttribute('aria-current', 'true')
    await expect(canvas.getByRole('button', { name: 'Pause the sample' })).toBeVisible()
  },
}

export const Failed: Story = { args: { state: { ...atRest, hasFailed: true } } }
