import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitFor, within } from 'storybook/test'
import { sampleHandler } from '../mocks/spoken-audio.ts'
import { Screen } from '../screen.tsx'

const meta: Meta<typeof Screen> = {
  title: 'Screens/Landing',
  component: Screen,
  args: { path: '/', isSignedIn: false },
  parameters: { isScreen: true },
}
export default meta

type Story = StoryObj<typeof Screen>

export const Landing: Story = {
  play: async ({ canvas }) => {
    await canvas.findByRole('heading', { name: /Hear it once/ })
    for (const name of [
      'Podcast search',
      'AI transcription',
      'Smart summaries',
      'Favorites and history',
      'Export and share',
      'Pay as you go',
      'Search',
      'Select episode',
      'Generate',
      'Summarize',
    ])
      await expect(canvas.getByRole('heading', { name })).toBeVisible()
    // The hero's price and the teaser's.
    await expect(canvas.getAllByText(/Each started minute is charged\./)).toHaveLength(2)
    await expect(canvas.getByRole('link', { name: 'See Pricing' })).toHaveAttribute('href', '/pricing')
  },
}

export const LandingInDark: Story = { args: { scheme: 'dark' }, globals: { scheme: 'dark' } }

/** The real audio plays, a quote's time leads to where it was said, and the spoken line is followed. */
export const HearTheSample: Story = {
  beforeEach: ({ msw }) => msw.use(sampleHandler),
  play: async ({ canvas }) => {
    await userEvent.click(await canvas.findByRole('button', { name: 'Hear the sample' }))
    const transcript = within(canvas.getByRole('list', { name: 'Transcript of the sample' }))
    await waitFor(
      () =>
        expect(transcript.getByText(/^This is the Harbour Log/).closest('li')).toHaveAttribute(
          'aria-current',
          'true',
        ),
      { timeout: 5000 },
    )
    const [, inSummary] = canvas.getAllByRole('button', { name: 'Play from 1:22' })
    if (inSummary === undefined) throw new Error('The summary has no time')
    await userEvent.click(inSummary)
    const quoted = transcript.getByText('A record is honest when nobody marks it.')
    await waitFor(() => expect(quoted.closest('li')).toHaveAttribute('aria-current', 'true'), {
      timeout: 5000,
    })
  },
}
