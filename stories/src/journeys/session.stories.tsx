import { apiContract } from '@earmark/contracts/api'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, screen, userEvent } from 'storybook/test'
import { savedSearchKey } from '../../../frontend/src/features/podcasts/saved-search.ts'
import { refuse } from '../mocks/mock-call.ts'
import { Screen } from '../screen.tsx'

const meta: Meta<typeof Screen> = {
  title: 'Journeys/Session',
  component: Screen,
  args: { path: '/search' },
  parameters: { isScreen: true },
}
export default meta

type Story = StoryObj<typeof Screen>

export const WithoutASession: Story = {
  args: { isSignedIn: false },
  play: async ({ canvas }) => {
    await canvas.findByRole('heading', { name: 'Sign In' })
  },
}

export const SignedInUsersSkipTheLanding: Story = {
  args: { path: '/' },
  play: async ({ canvas }) => {
    await canvas.findByRole('heading', { name: 'Find a podcast' })
  },
}

/** The API no longer takes the session: sign-in it is. */
export const EndedElsewhere: Story = {
  beforeEach: ({ msw }) =>
    msw.use(refuse(apiContract.credits.balance, 'not_authenticated', 'Please sign in again.')),
  play: async ({ canvas }) => {
    await canvas.findByRole('heading', { name: 'Sign In' }, { timeout: 4000 })
  },
}

export const SignOut: Story = {
  play: async ({ canvas }) => {
    await userEvent.type(await canvas.findByRole('searchbox', { name: 'Search podcasts' }), 'harbour{Enter}')
    await canvas.findByRole('link', { name: /The Harbour Log/ })
    await userEvent.click(canvas.getByRole('button', { name: 'ana@example.org' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Sign out' }))
    await canvas.findByRole('heading', { name: 'Sign In' })
    await expect(window.localStorage.getItem(savedSearchKey)).toBeNull()
  },
}

/** There and back again: the search is as it was left. */
export const SearchIsKept: Story = {
  play: async ({ canvas }) => {
    await userEvent.type(await canvas.findByRole('searchbox', { name: 'Search podcasts' }), 'harbour{Enter}')
    await userEvent.click(await canvas.findByRole('link', { name: /The Harbour Log/ }))
    // Until the next screen is there, the form's own button has the name of the way back.
    await canvas.findByRole('searchbox', { name: 'Search episodes' })
    await userEvent.click(canvas.getByRole('button', { name: 'Search' }))
    await expect(await canvas.findByRole('searchbox', { name: 'Search podcasts' })).toHaveValue('harbour')
    await canvas.findByRole('link', { name: /The Harbour Log/ })
  },
}
