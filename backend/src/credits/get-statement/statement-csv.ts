import type { Statement } from '@earmark/contracts/credits'

const columns = [
  'at',
  'operation_id',
  'transaction_type',
  'operation_type',
  'description',
  'amount',
  'balance_after',
  'owed_after',
] as const

/** A statement as RFC 4180 has it, with the opening and the closing balance as its first and last line. */
export function toCsv({ from, to, opening_balance, closing_balance, lines }: Statement): string {
  const edge = (at: string, description: string, balance: number) => ({
    at,
    operation_id: '',
    transaction_type: '',
    operation_type: '',
    description,
    amount: '',
    balance_after: balance,
    owed_after: '',
  })
  const rows = [
    edge(from, 'Opening balance', opening_balance),
    ...lines,
    edge(to, 'Closing balance', closing_balance),
  ]
  const text = rows.map((row) => columns.map((column) => cell(row[column])).join(','))
  return [columns.join(','), ...text, ''].join('\r\n')
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  // A spreadsheet takes these for a formula, and the titles of episodes are somebody else's words.
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
