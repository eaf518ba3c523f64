import { expect, it } from 'vitest'
import { searchesByItself } from './search-rule.ts'

it.each([
  ['ha', false],
  ['har', true],
  ['har ', false],
  ['the ha', false],
  ['the har', true],
  ['a b ', true],
  ['', false],
  ['   ', false],
])('what is typed as %j searches by itself: %j', (input, expected) => {
  expect(searchesByItself(input)).toBe(expected)
})
