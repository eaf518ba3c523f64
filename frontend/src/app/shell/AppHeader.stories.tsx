import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn, screen, userEvent } from 'storybook/test'
import { BalanceBadge } from '../../features/credits/BalanceBadge.tsx'
import { AppHeader } from './AppHeader.tsx'
import { ColorSchemeToggle } from './ColorSchemeToggle.tsx'

const meta: Meta<typeof AppHeader> = {
  title: 'Shell/AppHeader',
  component: AppHeader,
  args: {
    email: 'ana@example.org',
    creditWidget: <BalanceBadge credits={4.37} />,
    colorSchemeToggle: <ColorSchemeToggle />,
    onSignOut: fn(),
  },
}
export default meta

type Story = StoryObj<typeof AppHeader>

export const Default: Story = {
  play: async ({ canvas, args }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'ana@example.org' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Sign out' }))
    await expect(args.onSignOut).toHaveBeenCalledOnce()
  },
}

export const MenuOpen: Story = {
  play: async ({ canvas }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'ana@example.org' }))
    await screen.findByRole('button', { name: 'Sign out' })
  },
}

export const MenuOpenInDark: Story = { ...MenuOpen, globals: { scheme: 'dark' } }
export const LongAddress: Story = {
  args: { email: 'a.very.long.address.indeed.and.then.some@mail.example.org' },
}
