import { expect, it } from 'vitest'
import { toCsv } from './statement-csv.ts'

it('writes a statement that spreadsheets read as it is meant', () => {
  const csv = toCsv({
    from: '2026-11-01T00:00:00.000Z',
    to: '2026-12-01T00:00:00.000Z',
    opening_balance: 5,
    opening_owed: 0,
    closing_balance: 4.95,
    closing_owed: 0,
    lines: [
      {
        at: '2026-11-03T10:00:00.000Z',
        operation_id: 'a1',
        transaction_type: 'deduct',
        operation_type: 'summary',
        description: '=HYPERLINK("x"), "said"',
        amount: -0.05,
        balance_after: 4.95,
        owed_after: 0,
      },
    ],
  })
  expect(csv.split('\r\n')).toEqual([
    'at,operation_id,transaction_type,operation_type,description,amount,balance_after,owed_after',
    '2026-11-01T00:00:00.000Z,,,,Opening balance,,5,0',
    '2026-11-03T10:00:00.000Z,a1,deduct,summary,"\'=HYPERLINK(""x""), ""said""",-0.05,4.95,0',
    '2026-12-01T00:00:00.000Z,,,,Closing balance,,4.95,0',
    '',
  ])
})

it('says in its first and last line what is owed', () => {
  const csv = toCsv({
    from: '2026-11-01T00:00:00.000Z',
    to: '2026-12-01T00:00:00.000Z',
    opening_balance: 0,
    opening_owed: 2,
    lines: [],
    closing_balance: 0,
    closing_owed: 1.5,
  })
  expect(csv.split('\r\n').slice(1, 3)).toEqual([
    '2026-11-01T00:00:00.000Z,,,,Opening balance,,0,2',
    '2026-12-01T00:00:00.000Z,,,,Closing balance,,0,1.5',
  ])
})
