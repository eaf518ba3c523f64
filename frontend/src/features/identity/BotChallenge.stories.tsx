import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn, waitFor } from 'storybook/test'
import { BotChallenge } from './BotChallenge.tsx'

const meta: Meta<typeof BotChallenge> = {
  title: 'Identity/BotChallenge',
  component: BotChallenge,
  args: { settings: { provider: 'altcha' }, onToken: fn() },
  decorators: [(Story) => <div style={{ maxWidth: 400 }}>{Story()}</div>],
}
export default meta

type Story = StoryObj<typeof BotChallenge>

/** The real widget does the real work on a small challenge. */
export const Default: Story = {
  play: async ({ args }) => {
    await waitFor(() => expect(args.onToken).toHaveBeenCalledWith(expect.stringMatching(/^[\w+/=]{40,}$/)), {
      timeout: 8000,
    })
  },
}

export const DefaultInDark: Story = { ...Default, globals: { scheme: 'dark' } }
export const Loading: Story = { args: { settings: { provider: 'loading' } } }
export const Unavailable: Story = { args: { settings: { provider: 'unavailable', onRetry: fn() } } }
