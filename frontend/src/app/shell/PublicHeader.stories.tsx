import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { PublicHeader } from './PublicHeader.tsx'

const meta: Meta<typeof PublicHeader> = { title: 'Shell/PublicHeader', component: PublicHeader }
export default meta

type Story = StoryObj<typeof PublicHeader>

export const Default: Story = {
  play: async ({ canvas }) => {
    const links = canvas.getAllByRole('link').map((link) => link.getAttribute('href'))
    await expect(links).toEqual(['/', '/pricing', '/login', '/signup'])
  },
}

export const DefaultInDark: Story = { globals: { scheme: 'dark' } }
