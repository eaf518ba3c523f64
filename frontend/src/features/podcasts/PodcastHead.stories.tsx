import { exampleFeeds } from '@earmark/contracts/examples'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { PodcastHead } from './PodcastHead.tsx'

const meta: Meta<typeof PodcastHead> = { title: 'Podcasts/PodcastHead', component: PodcastHead }
export default meta

type Story = StoryObj<typeof PodcastHead>

export const Default: Story = { args: { podcast: exampleFeeds[0] } }
export const Loading: Story = { args: { podcast: undefined } }
