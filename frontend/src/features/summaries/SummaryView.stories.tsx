import { exampleSegments, exampleSummaries } from '@earmark/contracts/examples'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn, userEvent } from 'storybook/test'
import { createQuoteFinder } from './quotes.ts'
import { readSummaryContent } from './summary-content.ts'
import { SummaryView } from './SummaryView.tsx'

const meta: Meta<typeof SummaryView> = {
  title: 'Summaries/SummaryView',
  component: SummaryView,
  args: {
    name: 'Smart Summary',
    summary: readSummaryContent('smart_summary', exampleSummaries.smart_summary.content),
    findQuote: createQuoteFinder(exampleSegments),
    onPlayFrom: fn(),
  },
  decorators: [
    (Story) => (
      <section style={{ maxWidth: 420 }}>
        <h2>AI Outputs</h2>
        {Story()}
      </section>
    ),
  ],
}
export default meta

type Story = StoryObj<typeof SummaryView>

export const Default: Story = {
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('heading', { name: 'Two logs, one light' })).toBeVisible()
    await expect(canvas.queryByText('Key Highlights')).toBeNull()
  },
}

/** Each quote plays from where it was said. */
export const Expanded: Story = {
  play: async ({ canvas, args }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Expand Smart Summary' }))
    await expect(canvas.getByText('Key Highlights')).toBeVisible()
    await expect(canvas.getByText('Key Takeaways')).toBeVisible()
    await expect(canvas.getByText('A record keeps what it has a line for.')).toHaveProperty('tagName', 'MARK')
    await userEvent.click(canvas.getByRole('button', { name: 'Play from 1:59' }))
    await expect(args.onPlayFrom).toHaveBeenCalledWith(119.5)
    await expect(canvas.getByRole('button', { name: 'Collapse Smart Summary' })).toBeVisible()
  },
}

export const ExpandedInDark: Story = { ...Expanded, globals: { scheme: 'dark' } }

export const ActionPlan: Story = {
  args: {
    name: 'Action Plan',
    summary: readSummaryContent('action_plan', exampleSummaries.action_plan.content),
  },
  play: async ({ canvas }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Expand Action Plan' }))
    for (const words of ['Next Steps', 'Overall Takeaway', 'Tools mentioned: The blue book'])
      await expect(canvas.getByText(words)).toBeVisible()
  },
}

export const ThoughtProvoking: Story = {
  args: {
    name: 'Thought-Provoking',
    summary: readSummaryContent('thought_provoking', exampleSummaries.thought_provoking.content),
  },
  play: async ({ canvas }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Expand Thought-Provoking' }))
    for (const words of ['Deep Questions', 'Quick Reflection Prompts', 'Why These Questions Matter'])
      await expect(canvas.getByText(words)).toBeVisible()
  },
}

/** Words that are not in the transcript are not marked, and have no time. */
export const QuoteNotFound: Story = {
  args: { findQuote: () => null },
  play: async ({ canvas, canvasElement }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Expand Smart Summary' }))
    await expect(canvasElement.querySelector('mark')).toBeNull()
    await expect(canvas.queryByRole('button', { name: /Play from/ })).toBeNull()
  },
}

export const Unparsable: Story = {
  args: { summary: readSummaryContent('smart_summary', '{"title":') },
  play: async ({ canvas }) => expect(canvas.getByText('Error parsing summary content')).toBeVisible(),
}

export const UnknownType: Story = {
  args: { summary: readSummaryContent('haiku', '{}') },
  play: async ({ canvas }) => expect(canvas.getByText('Unknown summary type')).toBeVisible(),
}
