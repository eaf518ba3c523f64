import { apiContract } from '@earmark/contracts/api'
import { apiExamples, exampleEpisodes, exampleFeeds } from '@earmark/contracts/examples'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, screen, userEvent, waitFor } from 'storybook/test'
import { newTranscriptLink } from '../../../frontend/src/features/podcasts/podcast-state.ts'
import { answer, breakOff, keepWaiting, refuse } from '../mocks/mock-call.ts'
import { Screen } from '../screen.tsx'

const { transcripts, credits } = apiContract
const { to, state } = newTranscriptLink(exampleEpisodes[0], exampleFeeds[0])

const meta: Meta<typeof Screen> = {
  title: 'Screens/New transcript',
  component: Screen,
  args: { path: to, state },
  parameters: { isScreen: true },
}
export default meta

type Story = StoryObj<typeof Screen>
type Canvas = Parameters<NonNullable<Story['play']>>[0]['canvas']

async function askThePrice(canvas: Canvas) {
  await userEvent.click(await canvas.findByRole('button', { name: 'Begin Transcription' }))
  return screen.findByRole('dialog', { name: 'Confirm transcription' })
}

async function begin(canvas: Canvas) {
  const dialog = await askThePrice(canvas)
  const confirm = [...dialog.querySelectorAll('button')].find(
    ({ textContent }) => textContent === 'Begin Transcription',
  )
  if (confirm === undefined) throw new Error('The dialog has nothing to confirm with')
  await waitFor(() => expect(confirm).toBeEnabled())
  await userEvent.click(confirm)
}

export const Ready: Story = {
  play: async ({ canvas }) => {
    await canvas.findByText('Ready to Transcribe')
    await expect(canvas.getByText('3 minutes')).toBeVisible()
  },
}

export const ReadyInDark: Story = { ...Ready, args: { scheme: 'dark' }, globals: { scheme: 'dark' } }

export const Price: Story = {
  play: async ({ canvas }) => {
    await askThePrice(canvas)
    const cost = await screen.findByText('0.04 credits', { selector: 'strong' })
    await waitFor(() => expect(cost).toBeVisible())
    await expect(screen.getByText('4.33')).toBeVisible()
  },
}

export const PriceInDark: Story = { ...Price, args: { scheme: 'dark' }, globals: { scheme: 'dark' } }

export const PriceUnknown: Story = {
  beforeEach: ({ msw }) =>
    msw.use(refuse(credits.estimate, 'temporarily_unavailable', 'the prices are not there yet')),
  play: async ({ canvas }) => {
    await askThePrice(canvas)
    await screen.findByText('Unable to estimate cost: the prices are not there yet')
  },
}

export const Starting: Story = {
  beforeEach: ({ msw }) => msw.use(keepWaiting(transcripts.create)),
  play: async ({ canvas }) => {
    await begin(canvas)
    const waiting = await screen.findAllByText('Starting Transcription...')
    await expect(waiting.length).toBeGreaterThan(0)
  },
}

export const InsufficientCredits: Story = {
  beforeEach: ({ msw }) =>
    msw.use(
      refuse(
        transcripts.create,
        'insufficient_credits',
        'Insufficient credits: required 0.04, available 0.01',
        {
          required_credits: 0.04,
          available_credits: 0.01,
        },
      ),
    ),
  play: async ({ canvas }) => {
    await begin(canvas)
    await screen.findByRole('dialog', { name: 'Insufficient credits' })
    await waitFor(() => expect(screen.getByText('0.03 credits')).toBeVisible())
  },
}

export const InsufficientCreditsInDark: Story = {
  ...InsufficientCredits,
  args: { scheme: 'dark' },
  globals: { scheme: 'dark' },
}

export const InsufficientWithoutAmounts: Story = {
  beforeEach: ({ msw }) => msw.use(refuse(transcripts.create, 'insufficient_credits', 'Payment required')),
  play: async ({ canvas }) => {
    await begin(canvas)
    await canvas.findByText('Insufficient credits to start transcription.')
  },
}

export const TwoRunAlready: Story = {
  beforeEach: ({ msw }) => msw.use(refuse(transcripts.create, 'too_many_transcriptions', 'Two run already.')),
  play: async ({ canvas }) => {
    await begin(canvas)
    await canvas.findByText(/You have reached the maximum number of concurrent transcriptions \(2\)/)
  },
}

export const Failed: Story = {
  beforeEach: ({ msw }) => msw.use(breakOff(transcripts.create)),
  play: async ({ canvas }) => {
    await begin(canvas)
    await canvas.findByText('Failed to start transcription. Please try again.')
  },
}

export const AlreadyExists: Story = {
  beforeEach: ({ msw }) => msw.use(answer(transcripts.list, apiExamples.transcripts.list)),
  play: async ({ canvas }) => {
    await canvas.findByText('Transcript Already Exists')
    await expect(canvas.getByText('completed')).toBeVisible()
    await userEvent.click(canvas.getByRole('link', { name: 'View Existing Transcript' }))
    await canvas.findByText('Transcript Complete')
  },
}

export const NoAudio: Story = {
  args: { state: newTranscriptLink(exampleEpisodes[3], exampleFeeds[0]).state },
  play: async ({ canvas }) => {
    await canvas.findByText('No audio URL available for this episode')
  },
}

export const Loading: Story = {
  beforeEach: ({ msw }) => msw.use(keepWaiting(transcripts.list)),
  play: async ({ canvas }) => {
    await canvas.findByRole('status', { name: 'Looking for an existing transcript' })
  },
}

/** Opened with nothing chosen. */
export const Empty: Story = {
  args: { state: undefined },
  play: async ({ canvas }) => {
    await canvas.findByText('Choose an episode first')
  },
}
