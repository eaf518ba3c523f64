import { examplePackages } from '@earmark/contracts/examples'
import { Button } from '@mantine/core'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn, userEvent } from 'storybook/test'
import { PackageGrid } from './PackageGrid.tsx'

const meta: Meta<typeof PackageGrid> = {
  title: 'Payments/PackageGrid',
  component: PackageGrid,
  args: { packages: { state: 'known', packages: examplePackages } },
}
export default meta

type Story = StoryObj<typeof PackageGrid>

export const Default: Story = {
  args: { action: (offer) => <Button>Purchase {offer.name}</Button> },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('$18.00')).toBeVisible()
    await expect(canvas.getByText('10% discount')).toBeVisible()
    await expect(canvas.queryByText('0% discount')).toBeNull()
  },
}

export const DefaultInDark: Story = { ...Default, globals: { scheme: 'dark' } }
export const WithoutAction: Story = {}
export const One: Story = { args: { packages: { state: 'known', packages: examplePackages.slice(0, 1) } } }
export const Loading: Story = { args: { packages: { state: 'loading' } } }

export const Empty: Story = {
  args: { packages: { state: 'known', packages: [] } },
  play: async ({ canvas }) =>
    expect(canvas.getByText('No credit packages available at this time.')).toBeVisible(),
}

const onRetry = fn()

export const Failed: Story = {
  args: { packages: { state: 'failed', onRetry } },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Failed to load credit packages. Please try again.')).toBeVisible()
    await userEvent.click(canvas.getByRole('button', { name: 'Try Again' }))
    await expect(onRetry).toHaveBeenCalled()
  },
}
