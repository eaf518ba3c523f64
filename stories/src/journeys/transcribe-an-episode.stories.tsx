import { apiContract } from '@earmark/contracts/api'
import {
  exampleTransactions,
  examplePendingTranscript,
  exampleProcessingTranscript,
  exampleTranscript,
} from '@earmark/contracts/examples'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, screen, userEvent, waitFor, within } from 'storybook/test'
import { answer } from '../mocks/mock-call.ts'
import { audioHandler } from '../mocks/spoken-audio.ts'
import { Screen } from '../screen.tsx'

const { credits, transcripts } = apiContract

const meta: Meta<typeof Screen> = {
  title: 'Journeys/Transcribe an episode',
  component: Screen,
  args: { path: '/login', isSignedIn: false },
  parameters: { isScreen: true },
}
export default meta

type Story = StoryObj<typeof Screen>

/** From signing in to reading, through every stage of the work, with the balance following. */
export const FromSignInToReading: Story = {
  beforeEach: ({ msw }) => {
    let balance = 4.41
    const stages = [examplePendingTranscript, exampleProcessingTranscript, exampleTranscript]
    msw.use(
      audioHandler,
      answer(credits.balance, () => ({ balance })),
      answer(credits.transactions, () => ({
        transactions: balance === 4.37 ? exampleTransactions : exampleTransactions.slice(1),
        has_more: false,
      })),
      answer(transcripts.create, () => {
        balance = 4.37
        return examplePendingTranscript
      }),
      answer(transcripts.get, () => (stages.length > 1 ? stages.shift() : stages[0]) ?? exampleTranscript),
    )
  },
  play: async ({ canvas, step }) => {
    await step('sign in', async () => {
      await userEvent.type(await canvas.findByLabelText('Email'), 'ana@example.org')
      await userEvent.type(canvas.getByLabelText('Password'), 'lantern')
      const button = canvas.getByRole('button', { name: 'Sign In' })
      await waitFor(() => expect(button).toBeEnabled(), { timeout: 8000 })
      await userEvent.click(button)
    })

    await step('find a show by typing alone', async () => {
      await userEvent.type(await canvas.findByRole('searchbox', { name: 'Search podcasts' }), 'harbour')
      await userEvent.click(await canvas.findByRole('link', { name: /The Harbour Log/ }, { timeout: 4000 }))
    })

    await step('choose an episode and see its price', async () => {
      await userEvent.click(
        await canvas.findByRole('link', { name: 'Transcribe Why lighthouses kept two logs' }),
      )
      await userEvent.click(await canvas.findByRole('button', { name: 'Begin Transcription' }))
      const dialog = within(await screen.findByRole('dialog', { name: 'Confirm transcription' }))
      const confirm = dialog.getByRole('button', { name: 'Begin Transcription' })
      await waitFor(() => expect(confirm).toBeEnabled())
      await userEvent.click(confirm)
    })

    await step('watch it being queued, worked on and done', async () => {
      await canvas.findByText('Queuing transcript for processing...')
      await canvas.findByText('Transcribing 3 of 12', {}, { timeout: 5000 })
      await canvas.findByText('Transcript Complete', {}, { timeout: 5000 })
      await expect(canvas.getByText(/Every keeper wrote/)).toBeVisible()
    })

    await step('see what it cost', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Credit balance: 4.37, medium' }))
      const cost = await screen.findByText('-0.04')
      await waitFor(() => expect(cost).toBeVisible())
    })
  },
}
