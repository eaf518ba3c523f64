import { apiContract } from '@earmark/contracts/api'
import {
  exampleFailedSummary,
  examplePendingSummary,
  exampleProcessingSummary,
  exampleSummaries,
  exampleTranscript,
} from '@earmark/contracts/examples'
import type { Summary } from '@earmark/contracts/summaries'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, screen, userEvent, waitFor, within } from 'storybook/test'
import { answer, keepWaiting, refuse } from '../mocks/mock-call.ts'
import { audioHandler } from '../mocks/spoken-audio.ts'
import { Screen } from '../screen.tsx'

const { summaries, transcripts, credits } = apiContract

const meta: Meta<typeof Screen> = {
  title: 'Screens/AI Outputs',
  component: Screen,
  args: { path: `/transcript/${exampleTranscript.id}` },
  parameters: { isScreen: true },
  beforeEach: ({ msw }) => msw.use(audioHandler),
}
export default meta

type Story = StoryObj<typeof Screen>
type Canvas = Parameters<NonNullable<Story['play']>>[0]['canvas']

async function confirm(canvas: Canvas, button: string) {
  await userEvent.click(await canvas.findByRole('button', { name: button }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm summary' }))
  const generate = dialog.getByRole('button', { name: 'Generate' })
  await waitFor(() => expect(generate).toBeEnabled())
  await userEvent.click(generate)
}

export const NothingYet: Story = {
  play: async ({ canvas }) => {
    await canvas.findByRole('heading', { name: 'AI Outputs' })
    for (const name of ['Smart Summary', 'Action Plan', 'Thought-Provoking'])
      await canvas.findByRole('button', { name: `Generate ${name}` })
  },
}

const mixed: Summary[] = [
  exampleSummaries.smart_summary,
  {
    ...exampleProcessingSummary,
    id: '5b0a7d1e-0f52-4c5b-8a63-6c1d0a5e7b02',
    summary_type: 'action_plan',
    progress_percent: 62,
  },
]

/** A quote is marked in the text, and plays from there. */
export const Completed: Story = {
  beforeEach: ({ msw }) =>
    msw.use(
      answer(summaries.ofTranscript, { summaries: mixed }),
      answer(summaries.get, mixed[1] ?? exampleProcessingSummary),
    ),
  play: async ({ canvas }) => {
    await canvas.findByText('✓ Complete')
    await expect(canvas.getByText('Generating...')).toBeVisible()
    const text = within(canvas.getByRole('region', { name: 'Transcript' }))
    await expect(
      text.getByText('A record keeps what it has a line for.', { selector: 'mark' }),
    ).toBeInTheDocument()
    await userEvent.click(canvas.getByRole('button', { name: 'Expand Smart Summary' }))
    const summary = within(canvas.getByRole('article', { name: 'Smart Summary' }))
    await userEvent.click(summary.getByRole('button', { name: 'Play from 1:59' }))
    await waitFor(() =>
      expect(text.getByText(/^Nobody lied/).closest('li')).toHaveAttribute('aria-current', 'true'),
    )
    await userEvent.click(canvas.getByRole('button', { name: 'Pause' }))
  },
}

export const CompletedInDark: Story = { ...Completed, args: { scheme: 'dark' }, globals: { scheme: 'dark' } }

/** The button is gone with the dialog; its card has the focus. */
export const Started: Story = {
  beforeEach: ({ msw }) =>
    msw.use(answer(summaries.create, examplePendingSummary), answer(summaries.get, examplePendingSummary)),
  play: async ({ canvas }) => {
    await confirm(canvas, 'Generate Smart Summary')
    await canvas.findByText('Queuing...')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await expect(canvas.getByRole('heading', { name: 'Smart Summary' }).closest('li')).toHaveFocus()
  },
}

export const AllThree: Story = {
  beforeEach: ({ msw }) =>
    msw.use(answer(summaries.ofTranscript, { summaries: Object.values(exampleSummaries) })),
  play: async ({ canvas }) => {
    await waitFor(() => expect(canvas.getAllByText('✓ Complete')).toHaveLength(3))
    await expect(canvas.queryByRole('button', { name: /^Generate/ })).toBeNull()
  },
}

export const InsufficientCredits: Story = {
  beforeEach: ({ msw }) =>
    msw.use(
      refuse(summaries.create, 'insufficient_credits', 'Not enough credits', {
        required_credits: 0.05,
        available_credits: 0.02,
      }),
    ),
  play: async ({ canvas }) => {
    await confirm(canvas, 'Generate Smart Summary')
    const dialog = within(await screen.findByRole('dialog', { name: 'Insufficient credits' }))
    await waitFor(() => expect(dialog.getByText('0.03 credits')).toBeVisible())
    await expect(dialog.getByText(/the summary did not start/)).toBeVisible()
    await userEvent.click(dialog.getByRole('link', { name: 'Buy More Credits' }))
    await canvas.findByRole('heading', { name: 'Buy Credits' })
  },
}

export const BalanceTooLow: Story = {
  beforeEach: ({ msw }) => msw.use(answer(credits.balance, { balance: 0.02 })),
  play: async ({ canvas }) => {
    await userEvent.click(await canvas.findByRole('button', { name: 'Generate Smart Summary' }))
    await screen.findByText('You need 0.03 more credits to complete this operation.')
    await expect(screen.getByRole('button', { name: 'Generate' })).toBeDisabled()
  },
}

/** What comes in settles what is owed first. */
export const Owing: Story = {
  beforeEach: ({ msw }) => msw.use(answer(credits.balance, { balance: 0, owed: 2 })),
  play: async ({ canvas }) => {
    await userEvent.click(await canvas.findByRole('button', { name: 'Generate Smart Summary' }))
    await screen.findByText('You need 2.05 more credits to complete this operation.')
    await expect(screen.getByRole('button', { name: 'Generate' })).toBeDisabled()
  },
}

const balance = { isLost: false }

/** Without a balance nothing can be confirmed: the dialog says so, and asks again. */
export const BalanceLost: Story = {
  beforeEach: ({ msw }) => {
    balance.isLost = true
    msw.use(
      answer(credits.balance, () => {
        // A mock that throws answers 500.
        if (balance.isLost) throw new Error('Something broke')
        return { balance: 4.37 }
      }),
    )
  },
  play: async ({ canvas }) => {
    await userEvent.click(await canvas.findByRole('button', { name: 'Generate Smart Summary' }))
    await screen.findByText('Your balance could not be loaded. Nothing was charged.')
    await expect(screen.getByRole('button', { name: 'Generate' })).toBeDisabled()
    balance.isLost = false
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Generate' })).toBeEnabled())
  },
}

export const PriceUnknown: Story = {
  beforeEach: ({ msw }) =>
    msw.use(refuse(credits.estimate, 'temporarily_unavailable', 'the prices are not there yet')),
  play: async ({ canvas }) => {
    await userEvent.click(await canvas.findByRole('button', { name: 'Generate Smart Summary' }))
    await screen.findByText('Unable to estimate cost: the prices are not there yet')
    await expect(screen.getByRole('button', { name: 'Generate' })).toBeDisabled()
  },
}

export const CreationFailed: Story = {
  beforeEach: ({ msw }) => msw.use(refuse(summaries.create, 'internal_error', 'Something broke')),
  play: async ({ canvas }) => {
    await confirm(canvas, 'Generate Smart Summary')
    const card = canvas.getByRole('heading', { name: 'Smart Summary', level: 3 }).closest('li')
    await waitFor(() => expect(card).toHaveTextContent('Failed to create summary. Please try again.'))
  },
}

/** It failed, its credits came back; the retry is another one, and this is completed at once. */
export const Retry: Story = {
  beforeEach: ({ msw }) => {
    msw.use(
      answer(summaries.ofTranscript, { summaries: [exampleFailedSummary] }),
      answer(summaries.create, {
        ...exampleSummaries.smart_summary,
        id: '5b0a7d1e-0f52-4c5b-8a63-6c1d0a5e7b09',
        message: 'There is one already.',
      }),
    )
  },
  play: async ({ canvas }) => {
    await canvas.findByText(/^Failed: The language model did not answer/)
    await confirm(canvas, 'Retry Smart Summary')
    await canvas.findByText('✓ Complete')
    await expect(canvas.getByRole('heading', { name: 'Two logs, one light' })).toBeVisible()
  },
}

/** A poll that fails ends the polling; asking again takes it up. */
export const PollFailed: Story = {
  beforeEach: ({ msw }) => {
    let asks = 0
    msw.use(
      answer(summaries.ofTranscript, { summaries: [examplePendingSummary] }),
      answer(summaries.get, () => {
        asks += 1
        // A mock that throws answers 500.
        if (asks === 1) throw new Error('Something broke')
        return exampleSummaries.smart_summary
      }),
    )
  },
  play: async ({ canvas }) => {
    await canvas.findByText('Queuing...')
    await userEvent.click(await canvas.findByRole('button', { name: 'Check Again' }, { timeout: 6000 }))
    await canvas.findByText('✓ Complete')
  },
}

export const Unreadable: Story = {
  beforeEach: ({ msw }) =>
    msw.use(
      answer(summaries.ofTranscript, {
        summaries: [{ ...exampleSummaries.smart_summary, content: '{"title":' }],
      }),
    ),
  play: async ({ canvas }) => {
    const summary = within(await canvas.findByRole('article', { name: 'Smart Summary' }))
    await expect(summary.getByText('Error parsing summary content')).toBeVisible()
    await expect(summary.getByText('Smart Summary')).toBeVisible()
  },
}

export const Loading: Story = {
  beforeEach: ({ msw }) => msw.use(keepWaiting(summaries.ofTranscript)),
  play: async ({ canvas }) => {
    await canvas.findByRole('status', { name: 'Loading the summaries' })
  },
}

export const LoadingFailed: Story = {
  beforeEach: ({ msw }) => msw.use(refuse(summaries.ofTranscript, 'internal_error', 'Something broke')),
  play: async ({ canvas }) => {
    await canvas.findByText('The summaries could not be loaded. Nothing was charged.')
  },
}

/** Nothing said, nothing to summarise. */
export const WithoutText: Story = {
  beforeEach: ({ msw }) =>
    msw.use(answer(transcripts.get, { ...exampleTranscript, text: '', segments: [], word_count: 0 })),
  play: async ({ canvas }) => {
    await canvas.findByText('No transcript text available')
    await expect(canvas.queryByRole('heading', { name: 'AI Outputs' })).toBeNull()
  },
}
