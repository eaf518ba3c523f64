import { exampleTransactions } from '@earmark/contracts/examples'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn, screen, userEvent, within } from 'storybook/test'
import { CreditWidget } from './CreditWidget.tsx'

const meta: Meta<typeof CreditWidget> = {
  title: 'Credits/CreditWidget',
  component: CreditWidget,
  args: {
    credits: 4.37,
    transactions: exampleTransactions,
    hasFailed: false,
    isRefreshing: false,
    isOpen: true,
    onOpenChange: fn(),
    onRefresh: fn(),
  },
  decorators: [
    (Story) => (
      <div style={{ display: 'flex', justifyContent: 'end', alignItems: 'start', minHeight: 640 }}>
        {Story()}
      </div>
    ),
  ],
}
export default meta

type Story = StoryObj<typeof CreditWidget>

export const Default: Story = {
  play: async ({ args }) => {
    const dropdown = within(await screen.findByRole('dialog'))
    await expect(dropdown.getAllByRole('listitem')).toHaveLength(3)
    await expect(dropdown.getByText('-0.04')).toBeVisible()
    await expect(dropdown.getByText('Balance: 4.41')).toBeVisible()
    await userEvent.click(dropdown.getByRole('button', { name: 'Refresh' }))
    await expect(args.onRefresh).toHaveBeenCalledOnce()
    await expect(dropdown.getByRole('link', { name: 'View Transaction History' })).toHaveAttribute(
      'href',
      '/credits',
    )
    await expect(dropdown.getByRole('link', { name: 'Buy More Credits' })).toHaveAttribute('href', '/payment')
  },
}

export const DefaultInDark: Story = { globals: { scheme: 'dark' } }

export const Closed: Story = {
  args: { isOpen: false },
  play: async ({ args, canvas }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Credit balance: 4.37, medium' }))
    await expect(args.onOpenChange).toHaveBeenCalledWith(true)
  },
}

export const Loading: Story = { args: { credits: null, transactions: undefined } }
export const Refreshing: Story = {
  args: { isRefreshing: true, onRefresh: fn() },
  play: async ({ args }) => {
    const refresh = await screen.findByRole('button', { name: 'Refresh' })
    await userEvent.click(refresh)
    await expect(refresh).toHaveFocus()
    await expect(args.onRefresh).not.toHaveBeenCalled()
  },
}

export const Empty: Story = { args: { credits: 0, transactions: [] } }
export const Failed: Story = { args: { credits: null, transactions: undefined, hasFailed: true } }
