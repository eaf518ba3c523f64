import { apiContract } from '@earmark/contracts/api'
import {
  examplePendingSummary,
  exampleProcessingSummary,
  exampleSummaries,
  exampleTranscript,
} from '@earmark/contracts/examples'
import type { Transaction } from '@earmark/contracts/credits'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, screen, userEvent, waitFor, within } from 'storybook/test'
import { answer } from '../mocks/mock-call.ts'
import { stripeScriptHandler, stripeSession } from '../mocks/pretend-stripe.ts'
import { audioHandler } from '../mocks/spoken-audio.ts'
import { Screen } from '../screen.tsx'

const { credits, payments, summaries } = apiContract

const meta: Meta<typeof Screen> = {
  title: 'Journeys/Pay and summarise',
  component: Screen,
  parameters: { isScreen: true },
  beforeEach: ({ msw }) => msw.use(audioHandler),
}
export default meta

type Story = StoryObj<typeof Screen>

const summaryCharge: Transaction = {
  id: 'summary',
  transaction_type: 'deduct',
  operation_type: 'summary',
  amount: 0.05,
  balance_after: 4.32,
  description: 'Smart Summary',
  created_at: '2026-11-20T18:12:00.000Z',
  metadata: {
    episode_title: 'Why lighthouses kept two logs',
    word_count: 428,
    summary_type: 'smart_summary',
  },
}

/** From a transcript to its summary, through every stage, with the balance and the history following. */
export const FromTranscriptToSummary: Story = {
  args: { path: `/transcript/${exampleTranscript.id}` },
  beforeEach: ({ msw }) => {
    let isCharged = false
    const stages = [exampleProcessingSummary, exampleSummaries.smart_summary].map((summary) => ({
      ...summary,
      id: examplePendingSummary.id,
    }))
    msw.use(
      answer(credits.balance, () => ({ balance: isCharged ? 4.32 : 4.37 })),
      answer(credits.transactions, () => ({
        transactions: isCharged ? [summaryCharge] : [],
        has_more: false,
      })),
      answer(summaries.create, ({ body }) => {
        const { summary_type, transcript_id } = body as { summary_type: string; transcript_id: string }
        if (summary_type !== 'smart_summary' || transcript_id !== exampleTranscript.id)
          throw new Error('Another summary than the one that was chosen')
        isCharged = true
        return examplePendingSummary
      }),
      answer(summaries.get, () => stages.shift() ?? exampleSummaries.smart_summary),
    )
  },
  play: async ({ canvas, step }) => {
    await step('choose a type and confirm its price', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Generate Smart Summary' }))
      const dialog = within(await screen.findByRole('dialog', { name: 'Confirm summary' }))
      await waitFor(() => expect(dialog.getByText('4.32')).toBeVisible())
      await userEvent.click(dialog.getByRole('button', { name: 'Generate' }))
    })
    await step('watch it being queued, worked on and done', async () => {
      await canvas.findByText('Queuing...')
      await canvas.findByRole('button', { name: 'Credit balance: 4.32, medium' })
      await canvas.findByText('Generating...', {}, { timeout: 5000 })
      await expect(canvas.getByRole('progressbar', { name: 'Progress of Smart Summary' })).toBeVisible()
      await canvas.findByText('✓ Complete', {}, { timeout: 5000 })
    })
    await step('read it, and what it cost', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Expand Smart Summary' }))
      await expect(canvas.getByText('Key Highlights')).toBeVisible()
      await userEvent.click(canvas.getByRole('link', { name: 'Credits' }))
      await canvas.findByText('-0.05')
      await expect(canvas.getByText('Why lighthouses kept two logs · 428 words')).toBeVisible()
    })
  },
}

/** From the balance to the card provider's form; what comes after it is the return page's story. */
export const FromBalanceToCheckout: Story = {
  args: { path: '/search' },
  beforeEach: ({ msw }) =>
    msw.use(stripeScriptHandler, answer(payments.createCheckoutSession, stripeSession)),
  play: async ({ canvas }) => {
    await userEvent.click(await canvas.findByRole('button', { name: 'Credit balance: 4.37, medium' }))
    const widget = within(await screen.findByRole('dialog'))
    await widget.findByText('-0.04')
    await userEvent.click(widget.getByRole('link', { name: 'View Transaction History' }))
    await canvas.findByRole('heading', { name: 'Credit History' })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await userEvent.click(canvas.getByRole('link', { name: 'Buy More Credits' }))
    await userEvent.click(await canvas.findByRole('button', { name: 'Purchase Regular' }))
    await canvas.findByText(/Pretend checkout/, {}, { timeout: 4000 })
    await expect(canvas.getByText('Regular')).toBeVisible()
  },
}
