import { exampleSegments, exampleTranscript } from '@earmark/contracts/examples'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn, userEvent, waitFor } from 'storybook/test'
import { TranscriptText } from './TranscriptText.tsx'

const meta: Meta<typeof TranscriptText> = {
  title: 'Transcripts/TranscriptText',
  component: TranscriptText,
  args: { text: exampleTranscript.text, segments: exampleSegments, activeIndex: 2, onPlayFrom: fn() },
}
export default meta

type Story = StoryObj<typeof TranscriptText>

export const Default: Story = {
  play: async ({ canvas, args }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Play from 0:58' }))
    await expect(args.onPlayFrom).toHaveBeenCalledWith(58.1)
    await userEvent.click(canvas.getByRole('button', { name: 'Expand' }))
    await userEvent.click(canvas.getByRole('button', { name: 'Collapse' }))
    await expect(canvas.getByRole('button', { name: 'Expand' })).toHaveAttribute('aria-expanded', 'false')
  },
}

export const DefaultInDark: Story = { globals: { scheme: 'dark' } }

export const Searched: Story = {
  play: async ({ canvas }) => {
    await userEvent.type(canvas.getByRole('searchbox'), 'book')
    await expect(canvas.getByText('6 matches')).toBeVisible()
    await expect(canvas.getAllByText('book', { selector: 'mark' }).length).toBeGreaterThan(0)
    await expect(canvas.getByRole('button', { name: 'Collapse' })).toBeVisible()
  },
}

export const SearchedInDark: Story = { ...Searched, globals: { scheme: 'dark' } }

/** Reaching into the part that is cut off with the keyboard opens it. */
export const ReachedByKeyboard: Story = {
  play: async ({ canvas }) => {
    canvas.getByRole('button', { name: 'Play from 2:11' }).focus()
    await expect(await canvas.findByRole('button', { name: 'Collapse' })).toBeVisible()
  },
}

/** A quote of a summary leads to its words, also where they are cut off. */
export const ShownAMoment: Story = {
  args: { shown: { seconds: 131.5 } },
  play: async ({ canvas }) => {
    await expect(await canvas.findByRole('button', { name: 'Collapse' })).toBeVisible()
    const row = canvas.getByRole('button', { name: 'Play from 2:11' })
    await waitFor(() => {
      const { top, bottom } = row.getBoundingClientRect()
      return expect(top >= 0 && bottom <= window.innerHeight).toBe(true)
    })
  },
}

export const WithoutTimes: Story = { args: { segments: [], activeIndex: -1 } }

export const Short: Story = {
  args: { segments: exampleSegments.slice(0, 3) },
  play: async ({ canvas }) => expect(canvas.queryByRole('button', { name: 'Expand' })).toBeNull(),
}

export const Empty: Story = {
  args: { text: null, segments: [] },
  play: async ({ canvas }) => expect(canvas.getByText('No transcript text available')).toBeVisible(),
}
