import { describe, expect, it } from 'vitest'
import {
  formatCount,
  formatCredits,
  formatDate,
  formatDateTime,
  formatDay,
  formatDollars,
  formatExactDuration,
  formatMinutes,
  formatSize,
  formatTimestamp,
} from './format.ts'

describe('on a screen', () => {
  it('credits have two decimals, and an unknown balance is --', () => {
    expect([formatCredits(4.3), formatCredits(0), formatCredits(null)]).toEqual(['4.30', '0.00', '--'])
  })

  it('a price is in dollars, and a day is that of the calendar everywhere', () => {
    expect([formatDollars(18), formatDay('2026-11-01')]).toEqual(['$18.00', '1 Nov'])
  })

  it('a time of another year says which', () => {
    const now = new Date('2026-11-20T12:00:00')
    expect([formatDateTime('2026-11-12T20:40:00', now), formatDateTime('2025-11-12T20:40:00', now)]).toEqual([
      '12 Nov, 20:40',
      '12 Nov 2025, 20:40',
    ])
  })

  it.each([
    [58.9, '0:58'],
    [192, '3:12'],
    [3727, '1:02:07'],
    [-1, '0:00'],
  ])('the place %d s is %s', (seconds, words) => {
    expect(formatTimestamp(seconds)).toBe(words)
  })

  it('durations are whole minutes, hours where there are some', () => {
    expect([formatMinutes(10), formatMinutes(192), formatMinutes(4320)]).toEqual([
      '1 min',
      '3 min',
      '1 h 12 min',
    ])
    expect([formatExactDuration(42), formatExactDuration(192)]).toEqual(['42 s', '3 min 12 s'])
  })

  it('a second short of an hour is an hour', () => {
    expect(formatMinutes(3599)).toBe('1 h 0 min')
  })

  it('what the feed does not say is called unknown', () => {
    expect([formatDate(null), formatMinutes(null), formatSize(null)]).toEqual([
      'Unknown date',
      'Unknown duration',
      'Unknown size',
    ])
  })

  it('one thing is not many things', () => {
    expect([formatCount(1, 'show', 'shows'), formatCount(5210, 'word', 'words')]).toEqual([
      '1 show',
      '5,210 words',
    ])
  })
})
