import { exampleFeeds } from '@earmark/contracts/examples'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn, userEvent } from 'storybook/test'
import { PodcastResults } from './PodcastResults.tsx'

const meta: Meta<typeof PodcastResults> = {
  title: 'Podcasts/PodcastResults',
  component: PodcastResults,
  args: { feeds: [...exampleFeeds], isSearching: false, errorMessage: null, onRetry: fn() },
}
export default meta

type Story = StoryObj<typeof PodcastResults>

export const Default: Story = {
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('link', { name: /The Harbour Log/ })).toHaveAttribute(
      'href',
      '/episodes/the-harbour-log',
    )
  },
}

export const DefaultInDark: Story = { globals: { scheme: 'dark' } }
export const Beginning: Story = { args: { feeds: undefined } }
export const Loading: Story = { args: { feeds: undefined, isSearching: true } }
export const SearchingAgain: Story = { args: { isSearching: true } }
export const Empty: Story = { args: { feeds: [] } }

export const Failed: Story = {
  args: { feeds: undefined, errorMessage: 'No podcast directory answered. Try again in a minute.' },
  play: async ({ canvas, args }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Try Again' }))
    await expect(args.onRetry).toHaveBeenCalledOnce()
  },
}

export const Sparse: Story = {
  args: {
    feeds: [
      {
        ...exampleFeeds[0],
        title: 'Über Donaudampfschifffahrtselektrizitätenhauptbetriebswerke',
        description: '',
      },
    ],
  },
  play: async ({ canvas }) => expect(canvas.getByText('No description available')).toBeVisible(),
}
