import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn, screen, userEvent, waitFor } from 'storybook/test'
import { CostDialog } from './CostDialog.tsx'

const meta: Meta<typeof CostDialog> = {
  title: 'Credits/CostDialog',
  component: CostDialog,
  args: {
    isOpen: true,
    episodeTitle: 'Why lighthouses kept two logs',
    operation: { type: 'transcription', durationSeconds: 192 },
    estimate: { state: 'known', credits: 0.04 },
    balanceCredits: 4.37,
    owedCredits: 0,
    onRetryBalance: null,
    isStarting: false,
    onConfirm: fn(),
    onCancel: fn(),
  },
}
export default meta

type Story = StoryObj<typeof CostDialog>

const confirmButton = () =>
  screen.findByRole('button', { name: /Begin Transcription|Starting Transcription/ })

export const Default: Story = {
  play: async ({ args }) => {
    await expect(await screen.findByText('3 min 12 s, charged as 4 min')).toBeVisible()
    await userEvent.click(await confirmButton())
    await expect(args.onConfirm).toHaveBeenCalledOnce()
  },
}

export const DefaultInDark: Story = { globals: { scheme: 'dark' } }

export const Loading: Story = {
  args: { estimate: { state: 'loading' } },
  play: async () => {
    await expect(await confirmButton()).toBeDisabled()
    await waitFor(() => expect(screen.getByRole('dialog')).toContainElement(focused()))
  },
}

const focused = () => document.activeElement as HTMLElement

export const UnknownBalance: Story = { ...Loading, args: { balanceCredits: null } }

const onRetryBalance = fn()

export const BalanceFailed: Story = {
  args: { balanceCredits: null, onRetryBalance },
  play: async () => {
    await expect(
      await screen.findByText('Your balance could not be loaded. Nothing was charged.'),
    ).toBeVisible()
    await expect(await confirmButton()).toBeDisabled()
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    await expect(onRetryBalance).toHaveBeenCalledOnce()
  },
}

export const Insufficient: Story = {
  args: { balanceCredits: 0.01 },
  play: async () => {
    await expect(await screen.findByText('Insufficient credits')).toBeVisible()
    await expect(screen.getByText('You need 0.03 more credits to complete this operation.')).toBeVisible()
    await expect(screen.getByRole('link', { name: 'Buy More Credits' })).toHaveAttribute('href', '/payment')
    await expect(await confirmButton()).toBeDisabled()
  },
}

export const Failed: Story = {
  args: { estimate: { state: 'failed', message: 'the prices could not be read' } },
  play: async () => {
    await expect(
      await screen.findByText('Unable to estimate cost: the prices could not be read'),
    ).toBeVisible()
    await expect(await confirmButton()).toBeDisabled()
  },
}

export const UnknownLength: Story = {
  args: {
    operation: { type: 'transcription', durationSeconds: null },
    estimate: { state: 'unknown_length' },
  },
  play: async () => expect(await confirmButton()).toBeEnabled(),
}

export const Starting: Story = {
  args: { isStarting: true },
  play: async () => expect(await confirmButton()).toHaveTextContent('Starting Transcription...'),
}

const ofASummary = {
  operation: { type: 'summary', name: 'Smart Summary', wordCount: 428 },
  estimate: { state: 'known', credits: 0.05 },
} as const

export const Summary: Story = {
  args: ofASummary,
  play: async ({ args }) => {
    await expect(await screen.findByText('428 words')).toBeVisible()
    await expect(screen.getByText('4.32')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Generate' }))
    await expect(args.onConfirm).toHaveBeenCalledOnce()
  },
}

export const SummaryInDark: Story = { args: ofASummary, globals: { scheme: 'dark' } }

export const SummaryInsufficient: Story = {
  args: { ...ofASummary, balanceCredits: 0.04 },
  play: async () => {
    await expect(
      await screen.findByText('You need 0.01 more credits to complete this operation.'),
    ).toBeVisible()
    await expect(screen.getByRole('button', { name: 'Generate' })).toBeDisabled()
  },
}

export const SummaryOwing: Story = {
  args: { ...ofASummary, balanceCredits: 0, owedCredits: 2 },
  play: async () => {
    await expect(await screen.findByText('2.00')).toBeVisible()
    await expect(screen.getByText('You need 2.05 more credits to complete this operation.')).toBeVisible()
    await expect(screen.getByRole('button', { name: 'Generate' })).toBeDisabled()
  },
}
