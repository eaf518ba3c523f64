import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn, screen, userEvent } from 'storybook/test'
import { InsufficientCreditsDialog } from './InsufficientCreditsDialog.tsx'

const meta: Meta<typeof InsufficientCreditsDialog> = {
  title: 'Credits/InsufficientCreditsDialog',
  component: InsufficientCreditsDialog,
  args: { shortfall: { required: 0.31, available: 0.04 }, onClose: fn() },
}
export default meta

type Story = StoryObj<typeof InsufficientCreditsDialog>

export const Default: Story = {
  play: async () => {
    await expect(await screen.findByText('0.31 credits')).toBeVisible()
    await expect(screen.getByText('0.04 credits')).toBeVisible()
    await expect(screen.getByText('0.27 credits')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Buy More Credits' }))
    await expect(screen.getByText('Credit purchase coming soon!')).toBeVisible()
  },
}

export const DefaultInDark: Story = { globals: { scheme: 'dark' } }
export const Closed: Story = { args: { shortfall: null } }
