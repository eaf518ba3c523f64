import { apiContract } from '@earmark/contracts/api'
import {
  exampleFailedTranscript,
  examplePendingTranscript,
  exampleProcessingTranscript,
  exampleTranscript,
} from '@earmark/contracts/examples'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitFor } from 'storybook/test'
import { answer, keepWaiting, refuse } from '../mocks/mock-call.ts'
import { audioHandler } from '../mocks/spoken-audio.ts'
import { Screen } from '../screen.tsx'

const { get } = apiContract.transcripts

const meta: Meta<typeof Screen> = {
  title: 'Screens/Transcript',
  component: Screen,
  args: { path: `/transcript/${exampleTranscript.id}` },
  parameters: { isScreen: true },
  beforeEach: ({ msw }) => msw.use(audioHandler),
}
export default meta

type Story = StoryObj<typeof Screen>

export const Completed: Story = {
  play: async ({ canvas, canvasElement }) => {
    await canvas.findByText('Transcript Complete')
    await waitFor(() => expect(canvasElement.querySelectorAll('svg rect[data-played]').length).toBe(160), {
      timeout: 5000,
    })
    await userEvent.click(canvas.getByRole('button', { name: 'Play from 0:58' }))
    await waitFor(() =>
      expect(canvas.getByText(/Every keeper wrote/).closest('li')).toHaveAttribute('aria-current', 'true'),
    )
  },
}

export const CompletedInDark: Story = { ...Completed, args: { scheme: 'dark' }, globals: { scheme: 'dark' } }

/** Keys work anywhere on the page, and leave a text field its letters. */
export const ByKeyboard: Story = {
  play: async ({ canvas }) => {
    await canvas.findByText('Transcript Complete')
    const search = canvas.getByRole('searchbox', { name: 'Search this transcript' })
    await userEvent.keyboard('/')
    await expect(search).toHaveFocus()
    await userEvent.keyboard('lock')
    await expect(search).toHaveValue('lock')
    search.blur()
    const slider = canvas.getByRole('slider', { name: 'Position in the audio' })
    await waitFor(async () => {
      await userEvent.keyboard('l')
      await expect(Number(slider.getAttribute('aria-valuenow'))).toBeGreaterThanOrEqual(10)
    })
  },
}

export const Pending: Story = {
  beforeEach: ({ msw }) => msw.use(answer(get, examplePendingTranscript)),
  play: async ({ canvas }) => {
    await canvas.findByText('Queuing transcript for processing...')
  },
}

export const Processing: Story = {
  beforeEach: ({ msw }) => msw.use(answer(get, exampleProcessingTranscript)),
  play: async ({ canvas }) => {
    await canvas.findByText('Transcribing 3 of 12')
  },
}

export const ProcessingInDark: Story = {
  ...Processing,
  args: { scheme: 'dark' },
  globals: { scheme: 'dark' },
}

export const Failed: Story = {
  beforeEach: ({ msw }) => msw.use(answer(get, exampleFailedTranscript)),
  play: async ({ canvas }) => {
    await canvas.findByText(/could not be downloaded/)
    await userEvent.click(canvas.getByRole('button', { name: 'Try Again' }))
    await canvas.findByText('Ready to Transcribe')
  },
}

export const FailedInDark: Story = {
  ...Failed,
  args: { scheme: 'dark' },
  globals: { scheme: 'dark' },
  play: async ({ canvas }) => {
    await canvas.findByText(/could not be downloaded/)
  },
}

export const WithoutText: Story = {
  beforeEach: ({ msw }) => msw.use(answer(get, { ...exampleTranscript, text: null, segments: [] })),
  play: async ({ canvas }) => {
    await canvas.findByText('No transcript text available')
  },
}

export const Loading: Story = {
  beforeEach: ({ msw }) => msw.use(keepWaiting(get)),
  play: async ({ canvas }) => {
    await canvas.findByRole('status', { name: 'Loading the transcript' })
  },
}

export const NotFound: Story = {
  beforeEach: ({ msw }) => msw.use(refuse(get, 'not_found', 'There is no such transcript')),
  play: async ({ canvas }) => {
    await canvas.findByRole('heading', { name: 'Transcript Not Found' })
  },
}

export const LoadingFailed: Story = {
  beforeEach: ({ msw }) => msw.use(refuse(get, 'internal_error', 'Something broke')),
  play: async ({ canvas }) => {
    await canvas.findByText('Failed to load transcript details')
  },
}
