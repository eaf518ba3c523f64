import type { SpendingDay } from '@earmark/contracts/credits'
import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import { formatCredits, formatDay } from '../../ui/format.ts'

/** Bars alone: what they say is in words beside them. The default export is for `lazy`. */
export default function SpendingChart({ days }: { days: SpendingDay[] }) {
  return (
    <BarChart
      h={72}
      data={days.map(({ date, spent }) => ({ date: formatDay(date), Spent: spent }))}
      dataKey="date"
      series={[{ name: 'Spent', color: 'var(--em-pine)' }]}
      withXAxis={false}
      withYAxis={false}
      gridAxis="none"
      minBarSize={2}
      cursorFill="var(--em-hover)"
      valueFormatter={(credits) => `${formatCredits(credits)} credits`}
      barProps={{ radius: 3, isAnimationActive: false }}
      barChartProps={{
        accessibilityLayer: false,
        barCategoryGap: '14%',
        margin: { top: 4, bottom: 0, left: 0, right: 0 },
      }}
    />
  )
}
