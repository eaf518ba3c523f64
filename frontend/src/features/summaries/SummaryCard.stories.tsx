import {
  exampleFailedSummary,
  examplePendingSummary,
  exampleProcessingSummary,
  exampleSummaries,
} from '@earmark/contracts/examples'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn, userEvent } from 'storybook/test'
import { SummaryCard } from './SummaryCard.tsx'

const meta: Meta<typeof SummaryCard> = {
  title: 'Summaries/SummaryCard',
  component: SummaryCard,
  args: {
    name: 'Smart Summary',
    description: 'The highlights, each with the words that were said.',
    summary: null,
    overview: null,
    problem: null,
    isLost: false,
    onGenerate: fn(),
    onCheckAgain: fn(),
  },
  decorators: [
    (Story) => (
      <section>
        <h2>AI Outputs</h2>
        <ul style={{ maxWidth: 340, padding: 0, listStyle: 'none' }}>{Story()}</ul>
      </section>
    ),
  ],
}
export default meta

type Story = StoryObj<typeof SummaryCard>

export const Default: Story = {
  play: async ({ canvas, args }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Generate Smart Summary' }))
    await expect(args.onGenerate).toHaveBeenCalledOnce()
  },
}

export const DefaultInDark: Story = { globals: { scheme: 'dark' } }

export const Pending: Story = {
  args: { summary: examplePendingSummary },
  play: async ({ canvas }) => expect(canvas.getByText('Queuing...')).toBeVisible(),
}

export const Processing: Story = {
  args: { summary: exampleProcessingSummary },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Generating...')).toBeVisible()
    await expect(canvas.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40')
  },
}

export const ProcessingInDark: Story = { ...Processing, globals: { scheme: 'dark' } }

export const ProcessingUnmeasured: Story = {
  args: {
    summary: { ...exampleProcessingSummary, progress_percent: null, error_message: 'Reading the transcript' },
  },
  play: async ({ canvas }) => expect(canvas.queryByRole('progressbar')).toBeNull(),
}

export const Completed: Story = {
  args: {
    summary: exampleSummaries.smart_summary,
    overview: 'Lighthouse keepers kept one book for the inspector and one for each other.',
  },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('✓ Complete')).toBeVisible()
    await expect(canvas.queryByRole('button')).toBeNull()
  },
}

export const CompletedInDark: Story = { ...Completed, globals: { scheme: 'dark' } }

export const Failed: Story = {
  args: { summary: exampleFailedSummary },
  play: async ({ canvas, args }) => {
    await expect(canvas.getByText(/^Failed: The language model did not answer/)).toBeVisible()
    await userEvent.click(canvas.getByRole('button', { name: 'Retry Smart Summary' }))
    await expect(args.onGenerate).toHaveBeenCalledOnce()
  },
}

export const FailedInDark: Story = { ...Failed, globals: { scheme: 'dark' } }

export const Lost: Story = {
  args: { summary: exampleProcessingSummary, isLost: true },
  play: async ({ canvas, args }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Check Again' }))
    await expect(args.onCheckAgain).toHaveBeenCalledOnce()
  },
}
