import { apiContract } from '@earmark/contracts/api'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent } from 'storybook/test'
import { answer, keepWaiting, refuse } from '../mocks/mock-call.ts'
import { Screen } from '../screen.tsx'

const { search } = apiContract.podcasts

const meta: Meta<typeof Screen> = {
  title: 'Screens/Search',
  component: Screen,
  args: { path: '/search' },
  parameters: { isScreen: true },
}
export default meta

type Story = StoryObj<typeof Screen>

const searchForHarbour: NonNullable<Story['play']> = async ({ canvas }) => {
  await userEvent.type(await canvas.findByRole('searchbox'), 'harbour{Enter}')
}

export const Beginning: Story = {
  play: async ({ canvas }) => {
    await canvas.findByText('Start with a show')
    await canvas.findByRole('button', { name: 'Credit balance: 4.37, medium' })
  },
}

export const Results: Story = {
  play: async (context) => {
    await searchForHarbour(context)
    await expect(await context.canvas.findByRole('link', { name: /The Harbour Log/ })).toBeVisible()
    await expect(context.canvas.getByText('3 shows')).toBeVisible()
  },
}

export const ResultsInDark: Story = { ...Results, args: { scheme: 'dark' }, globals: { scheme: 'dark' } }

export const Loading: Story = {
  beforeEach: ({ msw }) => msw.use(keepWaiting(search)),
  play: async (context) => {
    await searchForHarbour(context)
    await context.canvas.findByRole('status', { name: 'Searching' })
  },
}

export const Empty: Story = {
  beforeEach: ({ msw }) => msw.use(answer(search, { feeds: [] })),
  play: async (context) => {
    await searchForHarbour(context)
    await context.canvas.findByText('No podcasts found')
  },
}

export const Failed: Story = {
  beforeEach: ({ msw }) =>
    msw.use(
      refuse(search, 'directories_unavailable', 'No podcast directory answered. Try again in a minute.'),
    ),
  play: async (context) => {
    await searchForHarbour(context)
    await context.canvas.findByText('No podcast directory answered. Try again in a minute.')
  },
}
