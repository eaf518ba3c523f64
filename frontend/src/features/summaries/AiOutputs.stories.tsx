import { exampleProcessingSummary, exampleSegments, exampleSummaries } from '@earmark/contracts/examples'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn, userEvent } from 'storybook/test'
import { AiOutputs, type Output } from './AiOutputs.tsx'
import { createQuoteFinder } from './quotes.ts'
import { readSummaryContent } from './summary-content.ts'

const completed = Object.values(exampleSummaries).map((summary): Output => ({
  summary,
  content: readSummaryContent(summary.summary_type, summary.content),
  isLost: false,
}))

const meta: Meta<typeof AiOutputs> = {
  title: 'Summaries/AiOutputs',
  component: AiOutputs,
  args: {
    outputs: { state: 'known', outputs: [] },
    problem: null,
    onGenerate: fn(),
    onCheckAgain: fn(),
    findQuote: createQuoteFinder(exampleSegments),
    onPlayFrom: fn(),
  },
  decorators: [(Story) => <div style={{ maxWidth: 360 }}>{Story()}</div>],
}
export default meta

type Story = StoryObj<typeof AiOutputs>

export const Default: Story = {
  play: async ({ canvas, args }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Generate Action Plan' }))
    await expect(args.onGenerate).toHaveBeenCalledWith('action_plan')
  },
}

export const DefaultInDark: Story = { globals: { scheme: 'dark' } }

export const OneOfEach: Story = {
  args: {
    outputs: {
      state: 'known',
      outputs: [
        ...completed.slice(0, 1),
        {
          summary: { ...exampleProcessingSummary, id: 'action', summary_type: 'action_plan' },
          content: null,
          isLost: false,
        },
      ],
    },
  },
}

export const Completed: Story = {
  args: { outputs: { state: 'known', outputs: completed } },
  play: async ({ canvas }) => {
    await expect(canvas.getAllByText('✓ Complete')).toHaveLength(3)
    await expect(canvas.getAllByRole('button', { name: /^Expand/ })).toHaveLength(3)
    await expect(canvas.queryByRole('button', { name: /^Generate/ })).toBeNull()
  },
}

export const CompletedInDark: Story = { ...Completed, globals: { scheme: 'dark' } }
export const Loading: Story = { args: { outputs: { state: 'loading' } } }
export const Failed: Story = { args: { outputs: { state: 'failed', onRetry: fn() } } }
export const CreationFailed: Story = {
  args: { problem: { type: 'action_plan', message: 'Failed to create summary. Please try again.' } },
  play: async ({ canvas }) => {
    const [, card] = canvas.getAllByRole('listitem')
    await expect(card).toHaveTextContent('Failed to create summary. Please try again.')
    await expect(canvas.getAllByRole('alert')).toHaveLength(1)
  },
}
