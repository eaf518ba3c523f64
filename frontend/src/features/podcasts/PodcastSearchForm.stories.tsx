import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn, userEvent } from 'storybook/test'
import { PodcastSearchForm } from './PodcastSearchForm.tsx'

const meta: Meta<typeof PodcastSearchForm> = {
  title: 'Podcasts/PodcastSearchForm',
  component: PodcastSearchForm,
  args: { value: 'harbour', isSearching: false, onChange: fn(), onSearch: fn() },
}
export default meta

type Story = StoryObj<typeof PodcastSearchForm>

export const Default: Story = {
  play: async ({ canvas, args }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Search' }))
    await expect(args.onSearch).toHaveBeenCalledOnce()
  },
}

export const Empty: Story = { args: { value: '' } }
