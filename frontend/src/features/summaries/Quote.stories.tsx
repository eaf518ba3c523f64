import { exampleSegments } from '@earmark/contracts/examples'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn, userEvent } from 'storybook/test'
import { Quote } from './Quote.tsx'
import { createQuoteFinder } from './quotes.ts'

const meta: Meta<typeof Quote> = {
  title: 'Summaries/Quote',
  component: Quote,
  args: {
    quote: 'One book for the harbour, and one for the keeper who came after.',
    findQuote: createQuoteFinder(exampleSegments),
    onPlayFrom: fn(),
  },
}
export default meta

type Story = StoryObj<typeof Quote>

export const Default: Story = {
  play: async ({ canvas, args }) => {
    await expect(canvas.getByText(args.quote, { selector: 'mark' })).toBeVisible()
    await userEvent.click(canvas.getByRole('button', { name: 'Play from 0:58' }))
    await expect(args.onPlayFrom).toHaveBeenCalledWith(58.1)
  },
}

export const DefaultInDark: Story = { globals: { scheme: 'dark' } }

/** Words that nobody said are neither marked nor played. */
export const NotSaid: Story = {
  args: { quote: 'Words nobody said' },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Words nobody said')).toBeVisible()
    await expect(canvas.queryByRole('button')).toBeNull()
  },
}
