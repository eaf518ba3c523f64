import type { Transaction } from '@earmark/contracts/credits'
import { IconArrowBackUp, IconArrowDownRight, IconPlus } from '@tabler/icons-react'
import { formatCredits, formatDateTime } from '../../ui/format.ts'
import classes from './TransactionList.module.css'

const icons = { deduct: IconArrowDownRight, add: IconPlus, refund: IconArrowBackUp }
const kinds = { deduct: 'Deduction', add: 'Credits added', refund: 'Refund' }
const operations: Record<string, string> = {
  transcription: 'Transcription',
  summary: 'AI Summary',
  purchase: 'Purchase',
}

/** A refund is named as such; the rest by what was done. */
function nameOf(transaction: Transaction): string {
  if (transaction.transaction_type === 'refund') return kinds.refund
  return operations[transaction.operation_type] ?? kinds[transaction.transaction_type]
}

export function TransactionList({ transactions }: { transactions: Transaction[] }) {
  return (
    <ul className={classes.list}>
      {transactions.map((transaction) => {
        const Icon = icons[transaction.transaction_type]
        const isDeduction = transaction.transaction_type === 'deduct'
        return (
          <li key={transaction.id} className={classes.row} data-kind={transaction.transaction_type}>
            <Icon size={20} stroke={1.75} aria-hidden className={classes.icon} />
            <div className={classes.what}>
              <div className={classes.name}>{nameOf(transaction)}</div>
              <div className={classes.detail}>
                {transaction.metadata.episode_title ?? transaction.description}
              </div>
              <div className={classes.detail}>{formatDateTime(transaction.created_at)}</div>
            </div>
            <div className={classes.amounts}>
              <div className={classes.amount}>
                {isDeduction ? '-' : '+'}
                {formatCredits(transaction.amount)}
              </div>
              <div className={classes.detail}>Balance: {formatCredits(transaction.balance_after)}</div>
            </div>
          </li>
        )
      })}
    </ul>
  )
}
