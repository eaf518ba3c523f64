import type { SpendingDay } from '@earmark/contracts/credits'
import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import { formatCredits, formatDay } from '../../ui/format.ts'

const latestDays = 4
const earlierColor = 'color-mix(in srgb, var(--em-pine) 30%, var(--em-card))'

type Bar = { x: number; y: number; width: number; height: number; color: string }

/** Bars alone: what they say is in words beside them. The default export is for `lazy`. */
export default function SpendingChart({ days }: { days: SpendingDay[] }) {
  const colorOf = (spent: number, day: number) => {
    if (spent === 0) return 'var(--em-line)'
    return day < days.length - latestDays ? earlierColor : 'var(--em-pine)'
  }
  return (
    <BarChart
      h={72}
      data={days.map(({ date, spent }, day) => ({
        date: formatDay(date),
        Spent: spent,
        color: colorOf(spent, day),
      }))}
      dataKey="date"
      series={[{ name: 'Spent', color: 'var(--em-pine)' }]}
      withXAxis={false}
      withYAxis={false}
      gridAxis="none"
      minBarSize={2}
      cursorFill="var(--em-hover)"
      valueFormatter={(credits) => `${formatCredits(credits)} credits`}
      barProps={{ shape: drawBar, isAnimationActive: false }}
      barChartProps={{
        accessibilityLayer: false,
        barCategoryGap: '14%',
        margin: { top: 4, bottom: 0, left: 0, right: 0 },
      }}
    />
  )
}

function drawBar(bar: unknown) {
  const { x, y, width, height, color } = bar as Bar
  return <rect x={x} y={y} width={width} height={height} rx={Math.min(3, height / 2)} fill={color} />
}
