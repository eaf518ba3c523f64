import { exampleSpending, exampleTransactions } from '@earmark/contracts/examples'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn, userEvent } from 'storybook/test'
import { CreditHistory } from './CreditHistory.tsx'

const meta: Meta<typeof CreditHistory> = {
  title: 'Credits/CreditHistory',
  component: CreditHistory,
  args: {
    credits: 0.42,
    owedCredits: 0,
    spending: { state: 'known', days: exampleSpending },
    transactions: exampleTransactions,
    hasFailed: false,
    hasMoreFailed: false,
    hasMore: true,
    isLoadingMore: false,
    isRefreshing: false,
    onRefresh: fn(),
    onLoadMore: fn(),
  },
}
export default meta

type Story = StoryObj<typeof CreditHistory>

export const Default: Story = {
  play: async ({ canvas, args }) => {
    await expect(canvas.getByText('About 42 minutes of audio left')).toBeVisible()
    await userEvent.click(canvas.getByRole('button', { name: 'Load More' }))
    await expect(args.onLoadMore).toHaveBeenCalledOnce()
    await userEvent.click(canvas.getByRole('button', { name: 'Refresh' }))
    await expect(args.onRefresh).toHaveBeenCalledOnce()
  },
}

export const DefaultInDark: Story = { globals: { scheme: 'dark' } }

export const Owing: Story = {
  args: { credits: 0, owedCredits: 3.5 },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('alert')).toHaveTextContent('You owe 3.50 credits')
  },
}

export const OwingInDark: Story = { ...Owing, globals: { scheme: 'dark' } }

export const Loading: Story = {
  args: { credits: null, spending: { state: 'loading' }, transactions: undefined, hasMore: false },
}

export const Refreshing: Story = { args: { isRefreshing: true } }

export const LoadingMore: Story = {
  args: { isLoadingMore: true, onLoadMore: fn() },
  play: async ({ canvas, args }) => {
    const more = canvas.getByRole('button', { name: 'Load More' })
    await userEvent.click(more)
    await expect(more).toHaveFocus()
    await expect(args.onLoadMore).not.toHaveBeenCalled()
  },
}

export const Empty: Story = {
  args: {
    credits: 0,
    spending: { state: 'known', days: exampleSpending.map((day) => ({ ...day, spent: 0 })) },
    transactions: [],
    hasMore: false,
  },
  play: async ({ canvas }) => expect(canvas.getByText('No transactions yet')).toBeVisible(),
}

export const Failed: Story = {
  args: {
    credits: null,
    spending: { state: 'failed' },
    transactions: undefined,
    hasFailed: true,
    hasMore: false,
  },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('alert')).toHaveTextContent('Your credit history could not be loaded.')
    await expect(canvas.getByRole('button', { name: 'Try Again' })).toBeVisible()
  },
}
