import { exampleEpisodes, exampleFeeds } from '@earmark/contracts/examples'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn, userEvent } from 'storybook/test'
import { EpisodeList } from './EpisodeList.tsx'

const meta: Meta<typeof EpisodeList> = {
  title: 'Podcasts/EpisodeList',
  component: EpisodeList,
  args: {
    podcast: exampleFeeds[0],
    episodes: [...exampleEpisodes],
    isStale: false,
    isSlow: false,
    hasMore: false,
    isLoadingMore: false,
    errorMessage: null,
    onLoadMore: fn(),
    onRetry: fn(),
  },
}
export default meta

type Story = StoryObj<typeof EpisodeList>

export const Default: Story = {
  play: async ({ canvas }) => {
    await expect(canvas.getByText('17 Nov 2026 · 3 min · 3.1 MB')).toBeVisible()
    await expect(canvas.getByText('Unknown date · Unknown duration · Unknown size')).toBeVisible()
    await expect(canvas.getByText('No description available')).toBeVisible()
    await expect(canvas.getByText('0.04 credits for 4 started minutes')).toBeVisible()
  },
}

export const DefaultInDark: Story = { globals: { scheme: 'dark' } }
export const Loading: Story = { args: { episodes: undefined } }

export const LoadingForLong: Story = {
  args: { episodes: undefined, isSlow: true },
  play: async ({ canvas }) =>
    expect(
      canvas.getByText('This podcast has a large episode library. First load can take a while.'),
    ).toBeVisible(),
}

export const SearchingAgain: Story = { args: { isStale: true } }
export const Empty: Story = { args: { episodes: [] } }
export const Failed: Story = { args: { errorMessage: 'The feed of this podcast could not be read.' } }

export const More: Story = {
  args: { hasMore: true },
  play: async ({ canvas, args }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Load More' }))
    await expect(args.onLoadMore).toHaveBeenCalledOnce()
  },
}
