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

/** A statement as RFC 4180 has it, with what there is and what is owed before and after it as its first and last line. */
export function toCsv(statement: Statement): string {
  const edge = (at: string, description: string, balance: number, owed: number) => ({
    at,
    operation_id: '',
    transaction_type: '',
    operation_type: '',
    description,
    amount: '',
    balance_after: balance,
    owed_after: owed,
  })
  const rows = [
    edge(statement.from, 'Opening balance', statement.opening_balance, statement.opening_owed),
    ...statement.lines,
    edge(statement.to, 'Closing balance', statement.closing_balance, statement.closing_owed),
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
