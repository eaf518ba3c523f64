import { apiContract } from '@earmark/contracts/api'
import { apiExamples, exampleEpisodes, exampleFeeds } from '@earmark/contracts/examples'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitForElementToBeRemoved } from 'storybook/test'
import { episodesLink } from '../../../frontend/src/features/podcasts/podcast-state.ts'
import { answer, keepWaiting, refuse } from '../mocks/mock-call.ts'
import { Screen } from '../screen.tsx'

const { episodes } = apiContract.podcasts
const { to, state } = episodesLink(exampleFeeds[0], true)

const meta: Meta<typeof Screen> = {
  title: 'Screens/Episodes',
  component: Screen,
  args: { path: to, state },
  parameters: { isScreen: true },
}
export default meta

type Story = StoryObj<typeof Screen>

export const Default: Story = {
  play: async ({ canvas }) => {
    await expect(await canvas.findByRole('heading', { level: 1, name: 'The Harbour Log' })).toBeVisible()
    await expect(await canvas.findByText('Why lighthouses kept two logs')).toBeVisible()
  },
}

export const DefaultInDark: Story = { ...Default, args: { scheme: 'dark' }, globals: { scheme: 'dark' } }

/** A link from outside: nothing is known but the address. */
export const OpenedByLink: Story = { ...Default, args: { state: undefined } }

export const Searched: Story = {
  play: async ({ canvas }) => {
    const other = await canvas.findByText('Why lighthouses kept two logs')
    await userEvent.type(canvas.getByRole('searchbox', { name: 'Search episodes' }), 'salt')
    await waitForElementToBeRemoved(other, { timeout: 3000 })
    await expect(canvas.getByText('The salt road')).toBeVisible()
  },
}

export const MorePages: Story = {
  beforeEach: ({ msw }) =>
    msw.use(
      answer(episodes, ({ url }) => {
        const isFirst = url.searchParams.get('offset') === '0'
        return {
          ...apiExamples.podcasts.episodes,
          episodes: isFirst ? exampleEpisodes.slice(0, 2) : exampleEpisodes.slice(2),
          has_more: isFirst,
          next_offset: isFirst ? 2 : null,
        }
      }),
    ),
  play: async ({ canvas }) => {
    await userEvent.click(await canvas.findByRole('button', { name: 'Load More' }))
    await expect(await canvas.findByText('A note to our listeners')).toBeVisible()
    await expect(canvas.getByText('The salt road')).toBeVisible()
    await expect(canvas.queryByRole('button', { name: 'Load More' })).toBeNull()
  },
}

export const Loading: Story = {
  beforeEach: ({ msw }) => msw.use(keepWaiting(episodes)),
  play: async ({ canvas }) => {
    await canvas.findByRole('status', { name: 'Loading episodes' })
    await canvas.findByText(
      'This podcast has a large episode library. First load can take a while.',
      {},
      { timeout: 4500 },
    )
  },
}

export const Empty: Story = {
  beforeEach: ({ msw }) =>
    msw.use(answer(episodes, { ...apiExamples.podcasts.episodes, episodes: [], total: 0 })),
  play: async ({ canvas }) => {
    await canvas.findByText('No episodes found')
  },
}

export const Failed: Story = {
  beforeEach: ({ msw }) =>
    msw.use(refuse(episodes, 'feed_unavailable', "This podcast's feed could not be read. Try again later.")),
  play: async ({ canvas }) => {
    await canvas.findByText("This podcast's feed could not be read. Try again later.")
  },
}
