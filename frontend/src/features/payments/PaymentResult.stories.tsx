import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { PaymentResult } from './PaymentResult.tsx'

const meta: Meta<typeof PaymentResult> = { title: 'Payments/PaymentResult', component: PaymentResult }
export default meta

type Story = StoryObj<typeof PaymentResult>

export const Default: Story = {
  args: {
    result: { state: 'paid', newBalance: { state: 'known', credits: 24.37 }, email: 'ana@example.org' },
  },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('24.37 credits')).toBeVisible()
    await expect(canvas.getByText('A receipt has been sent to ana@example.org')).toBeVisible()
    await expect(canvas.getByRole('link', { name: 'Start Transcribing' })).toHaveAttribute('href', '/search')
    await expect(canvas.getByRole('link', { name: 'View Transaction History' })).toHaveAttribute(
      'href',
      '/credits',
    )
  },
}

export const DefaultInDark: Story = { ...Default, globals: { scheme: 'dark' } }

export const WithoutReceipt: Story = {
  args: { result: { state: 'paid', newBalance: { state: 'loading' }, email: null } },
  play: async ({ canvas }) => expect(canvas.queryByText(/receipt/)).toBeNull(),
}

export const BalanceFailed: Story = {
  args: { result: { state: 'paid', newBalance: { state: 'failed' }, email: null } },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('--')).toBeVisible()
    await expect(canvas.getByText('Your credit history shows it.')).toBeVisible()
  },
}

export const Loading: Story = {
  args: { result: { state: 'processing' } },
  play: async ({ canvas }) => {
    await expect(canvas.getByText(/If you paid, your credits come/)).toBeVisible()
    await expect(canvas.queryByRole('link', { name: 'Try Again' })).toBeNull()
  },
}

export const LongOpen: Story = {
  args: { result: { state: 'processing', isLong: true } },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Processing Payment...')).toBeVisible()
    await expect(canvas.getByText(/Not paid yet\?/)).toBeVisible()
    await expect(canvas.getByRole('link', { name: 'Try Again' })).toHaveAttribute('href', '/payment')
  },
}

/** A bank that takes days was told to pay: nothing is to be tried again. */
export const LongSettling: Story = {
  args: { result: { state: 'processing', isLong: true, detail: 'Your payment is on its way.' } },
  play: async ({ canvas }) => expect(canvas.queryByRole('link', { name: 'Try Again' })).toBeNull(),
}

export const Settling: Story = {
  args: {
    result: {
      state: 'processing',
      detail:
        'Your payment is on its way. A bank can take some days; the credits come as soon as it has arrived.',
    },
  },
  play: async ({ canvas }) => expect(canvas.getByText(/on its way/)).toBeVisible(),
}

export const InReview: Story = {
  args: {
    result: {
      state: 'error',
      message: 'Payment was not completed',
      detail:
        'Your payment arrived, but not as this checkout asked for it. We are looking at it. You need not pay again.',
    },
  },
  play: async ({ canvas }) => expect(canvas.getByText(/need not pay again/)).toBeVisible(),
}

export const NotCompleted: Story = {
  args: { result: { state: 'error', message: 'Payment was not completed' } },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('link', { name: 'Try Again' })).toHaveAttribute('href', '/payment')
    await expect(canvas.getByRole('link', { name: 'Go to Home' })).toHaveAttribute('href', '/search')
  },
}

export const NotCompletedInDark: Story = { ...NotCompleted, globals: { scheme: 'dark' } }
export const WithoutSession: Story = {
  args: { result: { state: 'error', message: 'No payment session found' } },
}
export const Failed: Story = {
  args: { result: { state: 'error', message: 'Failed to verify payment status' } },
}
