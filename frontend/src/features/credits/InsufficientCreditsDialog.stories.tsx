import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn, screen } from 'storybook/test'
import { InsufficientCreditsDialog } from './InsufficientCreditsDialog.tsx'

const meta: Meta<typeof InsufficientCreditsDialog> = {
  title: 'Credits/InsufficientCreditsDialog',
  component: InsufficientCreditsDialog,
  args: {
    shortfall: { required: 0.31, available: 0.04 },
    owedCredits: 0,
    operation: 'transcription',
    onClose: fn(),
  },
}
export default meta

type Story = StoryObj<typeof InsufficientCreditsDialog>

export const Default: Story = {
  play: async () => {
    await expect(await screen.findByText('0.31 credits')).toBeVisible()
    await expect(screen.getByText('0.04 credits')).toBeVisible()
    await expect(screen.getByText('0.27 credits')).toBeVisible()
    await expect(screen.getByRole('link', { name: 'Buy More Credits' })).toHaveAttribute('href', '/payment')
  },
}

export const DefaultInDark: Story = { globals: { scheme: 'dark' } }

export const Owing: Story = {
  args: { shortfall: { required: 0.05, available: 0 }, owedCredits: 2, operation: 'summary' },
  play: async () => {
    await expect(await screen.findByText('2.00 credits')).toBeVisible()
    await expect(screen.getByText('2.05 credits')).toBeVisible()
  },
}

export const OfASummary: Story = { args: { operation: 'summary' } }
export const Closed: Story = { args: { shortfall: null } }
