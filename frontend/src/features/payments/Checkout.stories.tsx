import { examplePackages } from '@earmark/contracts/examples'
import { Skeleton } from '@mantine/core'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn, userEvent } from 'storybook/test'
import { Checkout } from './Checkout.tsx'

const [, offer] = examplePackages
if (offer === undefined) throw new Error('There is no example of a package')

const meta: Meta<typeof Checkout> = {
  title: 'Payments/Checkout',
  component: Checkout,
  args: { offer, form: <Skeleton height={420} />, onBack: fn() },
}
export default meta

type Story = StoryObj<typeof Checkout>

export const Default: Story = {
  play: async ({ canvas, args }) => {
    await expect(canvas.getByRole('heading', { name: 'Complete Purchase' })).toBeVisible()
    await expect(canvas.getByRole('heading', { name: 'Complete Purchase' })).toHaveFocus()
    await expect(canvas.getByText('Regular')).toBeVisible()
    await userEvent.click(canvas.getByRole('button', { name: 'Back to Packages' }))
    await expect(args.onBack).toHaveBeenCalledOnce()
  },
}

export const DefaultInDark: Story = { globals: { scheme: 'dark' } }
