import type { Meta, StoryObj } from '@storybook/react-vite'
import { Notice } from './Notice.tsx'

const meta: Meta<typeof Notice> = {
  title: 'Ui/Notice',
  component: Notice,
  args: { title: 'The search did not work', children: 'No podcast directory answered. Nothing was charged.' },
}
export default meta

type Story = StoryObj<typeof Notice>

export const Problem: Story = { args: { kind: 'problem' } }
export const ProblemInDark: Story = { ...Problem, globals: { scheme: 'dark' } }
export const Success: Story = { args: { kind: 'success', title: 'Done', children: 'All of it is there.' } }
export const SuccessInDark: Story = { ...Success, globals: { scheme: 'dark' } }
export const Hint: Story = { args: { kind: 'hint', title: 'One moment', children: 'This can take a while.' } }
export const HintInDark: Story = { ...Hint, globals: { scheme: 'dark' } }
