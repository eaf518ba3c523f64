import { Button, Loader, Skeleton } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { formatCredits } from '../../ui/format.ts'
import { Notice } from '../../ui/Notice.tsx'
import { PageTitle } from '../../ui/Page.tsx'
import classes from './PaymentResult.module.css'

export type NewBalance = { state: 'loading' } | { state: 'failed' } | { state: 'known'; credits: number }

export type PaymentResultState =
  /** `detail`: what the server says beyond the status. `isLong`: so long that it may never be paid. */
  | { state: 'processing'; detail?: string | null; isLong?: boolean }
  | { state: 'paid'; newBalance: NewBalance; email: string | null }
  | {
      state: 'error'
      message: 'Payment was not completed' | 'No payment session found' | 'Failed to verify payment status'
      detail?: string | null
    }

const whatNext = {
  'Payment was not completed':
    'No credits were added. If you were charged, they come as soon as the card provider says so.',
  'No payment session found': 'This page opens at the end of a purchase. Choose a package to begin one.',
  'Failed to verify payment status':
    'If your card was charged, the credits come without this page. Your credit history shows them.',
}

export function PaymentResult({ result }: { result: PaymentResultState }) {
  switch (result.state) {
    case 'processing':
      return (
        <div role="status" className={classes.processing}>
          <Loader color="var(--em-pine)" aria-hidden />
          <PageTitle>Processing Payment...</PageTitle>
          <p className={classes.words}>
            {result.detail ?? 'This takes a few seconds.'} If you paid, your credits come even if you leave
            this page.
          </p>
          {result.isLong && !result.detail && <NotPaidYet />}
        </div>
      )
    case 'paid':
      return <Paid newBalance={result.newBalance} email={result.email} />
    case 'error':
      return (
        <>
          <PageTitle>Payment Error</PageTitle>
          <div className={classes.block}>
            <Notice kind="problem" title={result.message}>
              {result.detail ?? whatNext[result.message]}
            </Notice>
          </div>
          <div className={classes.actions}>
            <Button component={Link} to="/payment">
              Try Again
            </Button>
            <Button component={Link} to="/search" variant="default">
              Go to Home
            </Button>
          </div>
        </>
      )
  }
}

function NotPaidYet() {
  return (
    <>
      <p className={classes.words}>Not paid yet? The checkout can be opened again.</p>
      <Button component={Link} to="/payment" variant="default">
        Try Again
      </Button>
    </>
  )
}

function Paid({ newBalance, email }: { newBalance: NewBalance; email: string | null }) {
  return (
    <>
      <IconCircleCheck size={44} stroke={1.5} aria-hidden className={classes.check} />
      <PageTitle>Payment Successful!</PageTitle>
      <p className={classes.words} role="status">
        Your credits have been added to your account.
      </p>
      <dl className={classes.balance}>
        <dt>New balance</dt>
        <dd>
          {newBalance.state === 'loading' ? (
            <Skeleton width={120} height={46} />
          ) : newBalance.state === 'failed' ? (
            formatCredits(null)
          ) : (
            `${formatCredits(newBalance.credits)} credits`
          )}
        </dd>
      </dl>
      {newBalance.state === 'failed' && <p className={classes.receipt}>Your credit history shows it.</p>}
      {email !== null && <p className={classes.receipt}>{`A receipt has been sent to ${email}`}</p>}
      <div className={classes.actions}>
        <Button component={Link} to="/search">
          Start Transcribing
        </Button>
        <Button component={Link} to="/credits" variant="default">
          View Transaction History
        </Button>
      </div>
      <h2 className={classes.heading}>What you can do next</h2>
      <ul className={classes.next}>
        <li>Search for a podcast and choose an episode.</li>
        <li>Turn its audio into a transcript: you see the price before you pay it.</li>
        <li>Generate a summary of a completed transcript.</li>
      </ul>
    </>
  )
}
