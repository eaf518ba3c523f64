import { apiContract } from '@earmark/contracts/api'
import { exampleTransactions } from '@earmark/contracts/examples'
import type { Transaction } from '@earmark/contracts/credits'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitFor, within } from 'storybook/test'
import { answer, keepWaiting, refuse } from '../mocks/mock-call.ts'
import { Screen } from '../screen.tsx'

const { credits } = apiContract

const meta: Meta<typeof Screen> = {
  title: 'Screens/Credit History',
  component: Screen,
  args: { path: '/credits' },
  parameters: { isScreen: true },
}
export default meta

type Story = StoryObj<typeof Screen>

export const History: Story = {
  play: async ({ canvas }) => {
    await canvas.findByRole('heading', { name: 'Credit History' })
    await canvas.findByText('Balance: 4.37')
    await expect(await canvas.findByText('About 7 hours of audio left')).toBeVisible()
    await expect(canvas.getByRole('link', { name: 'Buy More Credits' })).toHaveAttribute('href', '/payment')
    await canvas.findByRole('table', { name: 'Credits spent on each day' })
  },
}

export const HistoryInDark: Story = { ...History, args: { scheme: 'dark' }, globals: { scheme: 'dark' } }

const line = (number: number): Transaction => ({
  id: `line-${number}`,
  transaction_type: 'deduct',
  operation_type: 'transcription',
  amount: 0.01,
  balance_after: number / 100,
  description: `Line ${number} of many`,
  created_at: '2026-11-20T18:04:00.000Z',
  metadata: {},
})

/** Lines that arrive between two pages push the rest down: none is shown twice, and none is left out. */
export const LoadMoreWhileItGrows: Story = {
  beforeEach: ({ msw }) => {
    let newest = 45
    msw.use(
      answer(credits.transactions, ({ url }) => {
        const [limit, offset] = [
          Number(url.searchParams.get('limit')),
          Number(url.searchParams.get('offset')),
        ]
        const all = Array.from({ length: newest }, (_, index) => line(newest - index))
        // Three more after each page that is asked for.
        newest += 3
        return { transactions: all.slice(offset, offset + limit), has_more: offset + limit < all.length }
      }),
    )
  },
  play: async ({ canvas }) => {
    const section = within(await canvas.findByRole('region', { name: 'Transactions' }))
    await section.findByText('Line 45 of many')
    const shown = () =>
      section.getAllByRole('listitem').map((row) => Number(/Line (\d+)/.exec(row.textContent)?.[1]))
    for (let more = section.queryByRole('button', { name: 'Load More' }); more !== null;) {
      const before = shown().length
      await userEvent.click(more)
      await waitFor(() => expect(shown().length).toBeGreaterThan(before))
      more = section.queryByRole('button', { name: 'Load More' })
    }
    await expect(shown()).toEqual(Array.from({ length: 45 }, (_, index) => 45 - index))
  },
}

export const Loading: Story = {
  beforeEach: ({ msw }) =>
    msw.use(keepWaiting(credits.transactions), keepWaiting(credits.spending), keepWaiting(credits.balance)),
  play: async ({ canvas }) => {
    await canvas.findByRole('status', { name: 'Loading transactions' })
  },
}

export const Empty: Story = {
  beforeEach: ({ msw }) =>
    msw.use(
      answer(credits.transactions, { transactions: [], has_more: false }),
      answer(credits.spending, { days: [] }),
      answer(credits.balance, { balance: 0 }),
    ),
  play: async ({ canvas }) => {
    await canvas.findByText('No transactions yet')
    await canvas.findByText('Nothing was spent in the last 30 days.')
  },
}

export const Owing: Story = {
  beforeEach: ({ msw }) => msw.use(answer(credits.balance, { balance: 0, owed: 3.5 })),
  play: async ({ canvas }) => {
    await canvas.findByText('You owe 3.50 credits')
  },
}

export const Failed: Story = {
  beforeEach: ({ msw }) =>
    msw.use(
      refuse(credits.transactions, 'internal_error', 'Something broke'),
      refuse(credits.spending, 'internal_error', 'Something broke'),
    ),
  play: async ({ canvas }) => {
    await canvas.findByText('Your credit history could not be loaded. Nothing was charged.')
    await canvas.findByText('What was spent could not be loaded.')
  },
}

/** The first page stays; the rest is asked for again by itself. */
export const LoadMoreFailed: Story = {
  beforeEach: ({ msw }) => {
    let asks = 0
    msw.use(
      answer(credits.transactions, ({ url }) => {
        if (Number(url.searchParams.get('offset')) === 0)
          return { transactions: exampleTransactions, has_more: true }
        asks += 1
        // A mock that throws answers 500.
        if (asks === 1) throw new Error('Something broke')
        return { transactions: [line(1)], has_more: false }
      }),
    )
  },
  play: async ({ canvas }) => {
    await userEvent.click(await canvas.findByRole('button', { name: 'Load More' }))
    await canvas.findByText('The rest of your history did not come. What is above is right.')
    await expect(canvas.queryByText(/could not be loaded/)).toBeNull()
    await userEvent.click(canvas.getByRole('button', { name: 'Try Again' }))
    await canvas.findByText('Line 1 of many')
  },
}

/** Refresh asks at once; coming back to what was asked for within 5 s does not (spec section 9). */
export const FiveSecondRule: Story = {
  beforeEach: ({ msw }) => {
    asked.balance = 0
    msw.use(
      answer(credits.balance, () => {
        asked.balance += 1
        return { balance: 4.37 }
      }),
      answer(credits.transactions, { transactions: exampleTransactions, has_more: false }),
    )
    return () => {
      Date.now = realNow
    }
  },
  play: async ({ canvas, step }) => {
    await step('one question for the header and the page', async () => {
      await canvas.findByText('Balance: 4.37')
      await waitFor(() => expect(asked.balance).toBe(1))
    })
    await step('none for another screen and back', async () => {
      await userEvent.click(canvas.getByRole('link', { name: 'Buy More Credits' }))
      await canvas.findByRole('heading', { name: 'Buy Credits' })
      await userEvent.click(canvas.getByRole('link', { name: 'Credits' }))
      await canvas.findByRole('heading', { name: 'Credit History' })
      await expect(asked.balance).toBe(1)
    })
    await step('one when it is older than that', async () => {
      Date.now = () => realNow() + 6_000
      await userEvent.click(canvas.getByRole('link', { name: 'Buy More Credits' }))
      await waitFor(() => expect(asked.balance).toBe(2))
      await userEvent.click(canvas.getByRole('link', { name: 'Credits' }))
      await canvas.findByRole('heading', { name: 'Credit History' })
    })
    await step('one for Refresh', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Refresh' }))
      await waitFor(() => expect(asked.balance).toBe(3))
    })
  },
}

const asked = { balance: 0 }
const realNow = Date.now.bind(Date)
