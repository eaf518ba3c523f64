import { exampleTransactions } from '@earmark/contracts/examples'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { TransactionList } from './TransactionList.tsx'

const meta: Meta<typeof TransactionList> = { title: 'Credits/TransactionList', component: TransactionList }
export default meta

type Story = StoryObj<typeof TransactionList>

export const Default: Story = {
  args: { transactions: exampleTransactions },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Why lighthouses kept two logs · 4 min')).toBeVisible()
    await expect(canvas.queryByText('Transcription of 4 minutes')).toBeNull()
    await expect(canvas.getByText('The audio could not be read')).toBeVisible()
    await expect(canvas.getByText('-0.04')).toBeVisible()
    await expect(canvas.getByText('+0.31')).toBeVisible()
  },
}
export const DefaultInDark: Story = { ...Default, globals: { scheme: 'dark' } }

/** Narrow, a long title wraps: nothing of it is cut off. */
export const Narrow: Story = {
  args: {
    transactions: exampleTransactions.map((transaction) => ({
      ...transaction,
      description: 'The audio could not be read, which is why all of its credits came back',
      metadata: { episode_title: 'Why lighthouses kept two logs, and what the second of them was for' },
    })),
  },
  decorators: [(Story) => <div style={{ width: 342 }}>{Story()}</div>],
  play: async ({ canvas }) => {
    for (const detail of canvas.getAllByText(/two logs|came back/))
      await expect(detail.scrollWidth).toBeLessThanOrEqual(detail.clientWidth)
  },
}

/** Every operation by its name; a refund is a refund whatever was refunded. */
export const Names: Story = {
  args: {
    transactions: [
      ['deduct', 'transcription', 'Transcription'],
      ['deduct', 'summary', 'AI Summary'],
      ['add', 'purchase', 'Purchase'],
      ['add', 'grant', 'Credits added'],
      ['add', 'adjustment', 'Adjustment'],
      ['refund', 'summary', 'Refund'],
      ['deduct', 'of another time', 'Deduction'],
    ].map(([type, operation, name], index) => ({
      id: String(index),
      transaction_type: type as 'deduct' | 'add' | 'refund',
      operation_type: operation ?? '',
      amount: 0.05,
      balance_after: 1,
      description: `${name} is its name`,
      created_at: '2026-11-20T18:04:00.000Z',
      metadata: {},
    })),
  },
  play: async ({ canvas }) => {
    for (const row of canvas.getAllByRole('listitem')) {
      const [name, description] = [...row.querySelectorAll(':scope > div > div')].map(
        ({ textContent }) => textContent,
      )
      await expect(description).toBe(`${name} is its name`)
    }
  },
}

export const SummaryTypes: Story = {
  args: {
    transactions: (['smart_summary', 'action_plan', 'thought_provoking'] as const).map((type) => ({
      id: type,
      transaction_type: 'deduct',
      operation_type: 'summary',
      amount: 0.05,
      balance_after: 1,
      description: 'AI summary',
      created_at: '2026-11-20T18:04:00.000Z',
      metadata: { summary_type: type, episode_title: 'Night Lab #12', word_count: 5210 },
    })),
  },
  play: async ({ canvas }) => {
    for (const name of ['Smart Summary', 'Action Plan', 'Thought-Provoking'])
      await expect(canvas.getByText(name)).toBeVisible()
    await expect(canvas.getAllByText('Night Lab #12 · 5,210 words')).toHaveLength(3)
  },
}
