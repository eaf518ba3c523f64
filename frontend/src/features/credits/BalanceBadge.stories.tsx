import type { Meta, StoryObj } from '@storybook/react-vite'
import { BalanceBadge } from './BalanceBadge.tsx'

const meta: Meta<typeof BalanceBadge> = { title: 'Credits/BalanceBadge', component: BalanceBadge }
export default meta

type Story = StoryObj<typeof BalanceBadge>

export const Good: Story = { args: { credits: 12 } }
export const GoodInDark: Story = { ...Good, globals: { scheme: 'dark' } }
export const Medium: Story = { args: { credits: 4.37 } }
export const MediumInDark: Story = { ...Medium, globals: { scheme: 'dark' } }
export const Low: Story = { args: { credits: 0.42 } }
export const LowInDark: Story = { ...Low, globals: { scheme: 'dark' } }
export const Empty: Story = { args: { credits: 0 } }
export const EmptyInDark: Story = { ...Empty, globals: { scheme: 'dark' } }
export const Loading: Story = { args: { credits: null } }
