import { exampleSpending } from '@earmark/contracts/examples'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, waitFor } from 'storybook/test'
import { Spending } from './Spending.tsx'

const meta: Meta<typeof Spending> = { title: 'Credits/Spending', component: Spending }
export default meta

type Story = StoryObj<typeof Spending>

export const Default: Story = {
  args: { spending: { state: 'known', days: exampleSpending } },
  play: async ({ canvas, canvasElement }) => {
    const spentOn = exampleSpending.filter(({ spent }) => spent > 0)
    await waitFor(() => expect(canvasElement.querySelectorAll('.recharts-bar-rectangle').length).toBe(30), {
      timeout: 5000,
    })
    const fills = [...canvasElement.querySelectorAll('.recharts-bar-rectangle rect')].map((bar) =>
      bar.getAttribute('fill'),
    )
    await expect(fills.filter((fill) => fill === 'var(--em-line)')).toHaveLength(30 - spentOn.length)
    await expect(fills.slice(-4)).toEqual([...Array<string>(3).fill('var(--em-pine)'), 'var(--em-line)'])
    await expect(fills.indexOf('var(--em-pine)')).toBe(26)
    await expect(canvas.getByRole('table', { name: 'Credits spent on each day' })).toBeInTheDocument()
    await expect(canvas.getAllByRole('row')).toHaveLength(spentOn.length + 1)
  },
}

export const DefaultInDark: Story = { ...Default, globals: { scheme: 'dark' } }
export const Loading: Story = { args: { spending: { state: 'loading' } } }
export const Failed: Story = { args: { spending: { state: 'failed' } } }

export const Empty: Story = {
  args: { spending: { state: 'known', days: exampleSpending.map((day) => ({ ...day, spent: 0 })) } },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Nothing was spent in the last 30 days.')).toBeVisible()
  },
}
