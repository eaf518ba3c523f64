import { exampleTransactions } from '@earmark/contracts/examples'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { TransactionList } from './TransactionList.tsx'

const meta: Meta<typeof TransactionList> = { title: 'Credits/TransactionList', component: TransactionList }
export default meta

type Story = StoryObj<typeof TransactionList>

export const Default: Story = { args: { transactions: exampleTransactions } }
export const DefaultInDark: Story = { ...Default, globals: { scheme: 'dark' } }
