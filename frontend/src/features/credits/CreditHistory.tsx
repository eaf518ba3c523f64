import type { Transaction } from '@earmark/contracts/credits'
import { Button, Skeleton } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { formatCredits } from '../../ui/format.ts'
import { Notice } from '../../ui/Notice.tsx'
import { PageTitle } from '../../ui/Page.tsx'
import { audioLeft } from './audio-left.ts'
import classes from './CreditHistory.module.css'
import { Spending, type SpendingState } from './Spending.tsx'
import { TransactionList } from './TransactionList.tsx'

export type CreditHistoryProps = {
  /** Null while it is unknown. */
  credits: number | null
  /** Taken back from a purchase after it was spent; 0: nothing. */
  owedCredits: number
  spending: SpendingState
  /** Newest first; undefined while they load. */
  transactions: Transaction[] | undefined
  hasFailed: boolean
  hasMoreFailed: boolean
  hasMore: boolean
  isLoadingMore: boolean
  isRefreshing: boolean
  onRefresh: () => void
  onLoadMore: () => void
}

export function CreditHistory(props: CreditHistoryProps) {
  return (
    <>
      <header className={classes.head}>
        <div>
          <PageTitle>Credit History</PageTitle>
          <p className={classes.buys}>{props.credits === null ? ' ' : audioLeft(props.credits)}</p>
        </div>
        <div className={classes.actions}>
          <BusyButton
            icon={<IconRefresh size={20} stroke={1.75} aria-hidden />}
            isBusy={props.isRefreshing}
            onClick={props.onRefresh}
          >
            Refresh
          </BusyButton>
          <Button component={Link} to="/payment">
            Buy More Credits
          </Button>
        </div>
      </header>
      {props.owedCredits > 0 && (
        <div className={classes.owed}>
          <Notice kind="problem" title={`You owe ${formatCredits(props.owedCredits)} credits`}>
            A purchase was taken back after its credits were spent. What you buy next settles this first;
            until then nothing can be started.
          </Notice>
        </div>
      )}
      <section className={classes.card} aria-label="Balance and spending">
        <div>
          <div className={classes.label}>Balance</div>
          <div className={classes.balance}>{formatCredits(props.credits)}</div>
        </div>
        <Spending spending={props.spending} />
      </section>
      <section aria-label="Transactions" className={classes.history}>
        <History {...props} />
      </section>
    </>
  )
}

function History({
  transactions,
  hasFailed,
  hasMoreFailed,
  hasMore,
  isLoadingMore,
  onRefresh,
  onLoadMore,
}: CreditHistoryProps) {
  const failure = hasFailed && (
    <Notice
      kind="problem"
      action={
        <Button variant="default" h={36} onClick={onRefresh}>
          Try Again
        </Button>
      }
    >
      Your credit history could not be loaded. Nothing was charged.
    </Notice>
  )
  if (transactions === undefined) return failure || <LoadingHistory />
  if (transactions.length === 0) {
    return (
      failure || (
        <EmptyState
          title="No transactions yet"
          action={
            <Button component={Link} to="/search" variant="default">
              Search Podcasts
            </Button>
          }
        >
          Every credit that comes or goes will stand here, with the balance after it.
        </EmptyState>
      )
    )
  }
  return (
    <>
      {failure}
      <TransactionList transactions={transactions} />
      <div className={classes.more}>
        {hasMoreFailed ? (
          <Notice
            kind="problem"
            action={
              <BusyButton height={36} isBusy={isLoadingMore} onClick={onLoadMore}>
                Try Again
              </BusyButton>
            }
          >
            The rest of your history did not come. What is above is right.
          </Notice>
        ) : (
          hasMore && (
            <BusyButton isBusy={isLoadingMore} onClick={onLoadMore}>
              Load More
            </BusyButton>
          )
        )}
      </div>
    </>
  )
}

function LoadingHistory() {
  return (
    <div role="status" aria-label="Loading transactions">
      {['34%', '28%', '40%', '31%', '36%'].map((width) => (
        <div key={width} className={classes.loading}>
          <Skeleton width={20} height={20} circle />
          <div>
            <Skeleton width={width} height={16} mb={8} />
            <Skeleton width="58%" height={13} />
          </div>
          <Skeleton width={64} height={16} />
        </div>
      ))}
    </div>
  )
}
