import type { Transaction } from '@earmark/contracts/credits'
import { Button, Popover, Skeleton, UnstyledButton } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { formatCredits } from '../../ui/format.ts'
import { Notice } from '../../ui/Notice.tsx'
import { audioLeft } from './audio-left.ts'
import { BalanceBadge, describeBalance } from './BalanceBadge.tsx'
import classes from './CreditWidget.module.css'
import { TransactionList } from './TransactionList.tsx'

export type CreditWidgetProps = {
  /** Null while it is unknown. */
  credits: number | null
  /** The latest three; undefined while they load. */
  transactions: Transaction[] | undefined
  hasFailed: boolean
  isRefreshing: boolean
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  onRefresh: () => void
}

export function CreditWidget(props: CreditWidgetProps) {
  return (
    <Popover opened={props.isOpen} onChange={props.onOpenChange} width={340} position="bottom-end" trapFocus>
      <Popover.Target>
        <UnstyledButton
          className={classes.target}
          aria-label={describeBalance(props.credits)}
          onClick={() => props.onOpenChange(!props.isOpen)}
        >
          <BalanceBadge credits={props.credits} />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown}>
        <div className={classes.head}>
          <div>
            <div className={classes.label}>Balance</div>
            <div className={classes.balance}>{formatCredits(props.credits)}</div>
          </div>
          <BusyButton
            height={36}
            icon={<IconRefresh size={18} stroke={1.75} aria-hidden />}
            isBusy={props.isRefreshing}
            onClick={props.onRefresh}
          >
            Refresh
          </BusyButton>
        </div>
        {props.credits !== null && <p className={classes.buys}>{audioLeft(props.credits)}</p>}
        <RecentTransactions {...props} />
        <Button component={Link} to="/payment" fullWidth onClick={() => props.onOpenChange(false)}>
          Buy More Credits
        </Button>
        <Button
          component={Link}
          to="/credits"
          variant="subtle"
          fullWidth
          mt="xs"
          onClick={() => props.onOpenChange(false)}
        >
          View Transaction History
        </Button>
      </Popover.Dropdown>
    </Popover>
  )
}

function RecentTransactions({ transactions, hasFailed }: CreditWidgetProps) {
  if (hasFailed) return <Notice kind="problem">Your credits could not be loaded. Nothing was charged.</Notice>
  return (
    <section aria-label="Recent transactions" className={classes.recent}>
      {transactions === undefined ? (
        <div role="status" aria-label="Loading transactions">
          {[0, 1, 2].map((row) => (
            <Skeleton key={row} height={44} my={12} />
          ))}
        </div>
      ) : transactions.length === 0 ? (
        <p className={classes.none}>No transactions yet</p>
      ) : (
        <TransactionList transactions={transactions} />
      )}
    </section>
  )
}
