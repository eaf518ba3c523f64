import type { Transaction } from '@earmark/contracts/credits'
import { summaryNames } from '@earmark/contracts/summary-names'
import { IconArrowBackUp, IconArrowDownRight, IconPlus } from '@tabler/icons-react'
import { formatCount, formatCredits, formatDateTime } from '../../ui/format.ts'
import classes from './TransactionList.module.css'

const icons = { deduct: IconArrowDownRight, add: IconPlus, refund: IconArrowBackUp }
const kinds = { deduct: 'Deduction', add: 'Credits added', refund: 'Refund' }
const operations: Record<string, string> = {
  transcription: 'Transcription',
  purchase: 'Purchase',
  grant: 'Credits added',
  adjustment: 'Adjustment',
}

/** A refund is named as such; the rest by what was done. */
function nameOf({ transaction_type, operation_type, metadata }: Transaction): string {
  if (transaction_type === 'refund') return kinds.refund
  if (operation_type === 'summary') {
    return metadata.summary_type === undefined ? 'AI Summary' : summaryNames[metadata.summary_type]
  }
  return operations[operation_type] ?? kinds[transaction_type]
}

/** What it was done to: the episode, its words, its started minutes. */
function subjectOf({ episode_title, word_count, estimated_duration }: Transaction['metadata']): string {
  return [
    episode_title,
    word_count === undefined ? undefined : formatCount(word_count, 'word', 'words'),
    estimated_duration === undefined ? undefined : `${Math.ceil(estimated_duration / 60)} min`,
  ]
    .filter((part) => part !== undefined)
    .join(' · ')
}

export function TransactionList({ transactions }: { transactions: Transaction[] }) {
  return (
    <ul className={classes.list}>
      {transactions.map((transaction) => (
        <TransactionRow key={transaction.id} transaction={transaction} />
      ))}
    </ul>
  )
}

function TransactionRow({ transaction }: { transaction: Transaction }) {
  const Icon = icons[transaction.transaction_type]
  const name = nameOf(transaction)
  const subject = subjectOf(transaction.metadata)
  // What was taken for an episode is told by its name and its subject.
  const isTelling =
    transaction.description !== name && (transaction.transaction_type !== 'deduct' || subject === '')
  return (
    <li className={classes.row} data-kind={transaction.transaction_type}>
      <Icon size={20} stroke={1.75} aria-hidden className={classes.icon} />
      <div className={classes.what}>
        <div className={classes.name}>{name}</div>
        {isTelling && <div className={classes.detail}>{transaction.description}</div>}
        {subject !== '' && <div className={classes.detail}>{subject}</div>}
      </div>
      <time className={classes.date} dateTime={transaction.created_at}>
        {formatDateTime(transaction.created_at)}
      </time>
      <div className={classes.amounts}>
        <div className={classes.amount}>
          {transaction.transaction_type === 'deduct' ? '-' : '+'}
          {formatCredits(transaction.amount)}
        </div>
        <div className={classes.balance}>Balance: {formatCredits(transaction.balance_after)}</div>
      </div>
    </li>
  )
}
