import type { SpendingDay } from '@earmark/contracts/credits'
import { Skeleton, VisuallyHidden } from '@mantine/core'
import { type ComponentType, lazy, Suspense } from 'react'
import { formatCredits, formatDay } from '../../ui/format.ts'
import classes from './Spending.module.css'

// The words stand without it, so a chart that cannot be fetched is left out.
const SpendingChart = lazy<ComponentType<{ days: SpendingDay[] }>>(() =>
  import('./SpendingChart.tsx').catch(() => ({ default: () => null })),
)

const placeholder = <Skeleton height={72} />

export type SpendingState =
  { state: 'loading' } | { state: 'failed' } | { state: 'known'; days: SpendingDay[] }

/** What was spent, as a picture; its total in words, and each day in a table for those who do not see it. */
export function Spending({ spending }: { spending: SpendingState }) {
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>
        <span>Spent, last 30 days</span>
        {spending.state === 'known' && <strong>{formatCredits(totalOf(spending.days))} credits</strong>}
      </figcaption>
      <Bars spending={spending} />
    </figure>
  )
}

function totalOf(days: SpendingDay[]): number {
  return days.reduce((total, { spent }) => total + spent, 0)
}

function Bars({ spending }: { spending: SpendingState }) {
  if (spending.state === 'loading') {
    return (
      <div role="status" aria-label="Loading what was spent">
        {placeholder}
      </div>
    )
  }
  if (spending.state === 'failed') return <p className={classes.words}>What was spent could not be loaded.</p>
  const { days } = spending
  if (totalOf(days) === 0) return <p className={classes.words}>Nothing was spent in the last 30 days.</p>
  return (
    <>
      <div aria-hidden className={classes.chart}>
        <Suspense fallback={placeholder}>
          <SpendingChart days={days} />
        </Suspense>
        <div className={classes.ends}>
          <span>{formatDay(days[0]?.date ?? '')}</span>
          <span>Today</span>
        </div>
      </div>
      <VisuallyHidden>
        <table>
          <caption>Credits spent on each day</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Credits</th>
            </tr>
          </thead>
          <tbody>
            {days
              .filter(({ spent }) => spent > 0)
              .map(({ date, spent }) => (
                <tr key={date}>
                  <th scope="row">{formatDay(date)}</th>
                  <td>{formatCredits(spent)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </>
  )
}
