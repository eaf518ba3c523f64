import { median, type Rounds } from './measure.ts'

/** One line of the table. */
export type Row = {
  name: string
  /** The median of the rounds' ratios; null: not measured, `note` says why. */
  ratio: number | null
  /** The lowest and the highest of the rounds' ratios. */
  spread: [number, number] | null
  goal: number | null
  bound: 'at least' | 'at most'
  met: boolean | null
  unit: string
  ours: number | null
  theirs: number | null
  note?: string
}

type Comparison = {
  name: string
  unit: string
  ours: readonly number[]
  theirs: readonly number[]
  goal: number | null
  bound?: Row['bound']
  /** For latencies: theirs through ours, so that more is better there too. */
  isInverse?: boolean
  note?: string
}

/** The rounds' ratios, each of two turns that followed one another. */
export function compare({
  name,
  unit,
  ours,
  theirs,
  goal,
  bound = 'at least',
  isInverse,
  note,
}: Comparison): Row {
  const ratios = ours.map((value, round) => {
    const other = theirs[round] ?? Number.NaN
    return isInverse ? other / value : value / other
  })
  const ratio = median(ratios)
  return {
    name,
    ratio: rounded(ratio),
    spread: [rounded(Math.min(...ratios)), rounded(Math.max(...ratios))],
    goal,
    bound,
    met: goal === null ? null : bound === 'at least' ? ratio >= goal : ratio <= goal,
    unit,
    ours: rounded(median(ours)),
    theirs: rounded(median(theirs)),
    ...(note !== undefined && { note }),
  }
}

export function notMeasured(name: string, note: string): Row {
  const nothing = { ratio: null, spread: null, goal: null, met: null, ours: null, theirs: null }
  return { name, ...nothing, bound: 'at least', unit: '', note }
}

export function of(rounds: Rounds, contender: string, figure: 'perSecond' | 'p99Ms'): number[] {
  return (rounds[contender] ?? []).map((round) => round[figure])
}

const headings = ['', 'ratio', 'min..max', 'goal', 'met', 'ours', 'theirs', 'unit']

export function toTable(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.name,
    text(row.ratio),
    row.spread ? row.spread.map(text).join('..') : '-',
    row.goal === null ? '-' : `${row.bound === 'at least' ? '>=' : '<='} ${row.goal}`,
    row.met === null ? '-' : row.met ? 'yes' : 'NO',
    text(row.ours),
    text(row.theirs),
    row.unit,
  ])
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...cells.map((line) => line[column]?.length ?? 0)),
  )
  const toLine = (line: string[]) =>
    line
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
  const notes = rows.flatMap(({ name, note }) => (note === undefined ? [] : [`${name}: ${note}`]))
  return [toLine(headings), ...cells.map(toLine), ...(notes.length > 0 ? ['', ...notes] : [])].join('\n')
}

function text(value: number | null): string {
  if (value === null) return '-'
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(value)
}

function rounded(value: number): number {
  return Number(value.toPrecision(value >= 1000 ? 6 : 3))
}
