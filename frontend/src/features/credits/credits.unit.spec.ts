import { describe, expect, it } from 'vitest'
import { audioLeft } from './audio-left.ts'
import { balanceBand } from './balance-band.ts'
import { missingCredits, requiredCredits } from './estimate.ts'
import { readShortfall } from './insufficient-credits.ts'

const refusal = (detail: string | null, details: Record<string, unknown> | null = null) => ({
  status: 402,
  code: 'insufficient_credits' as const,
  detail,
  details,
})

describe('a balance', () => {
  it.each([
    [null, 'loading'],
    [0, 'empty'],
    [0.01, 'low'],
    [0.999999, 'low'],
    [1, 'medium'],
    [4.99, 'medium'],
    [5, 'good'],
  ])('of %j is %s', (credits, band) => {
    expect(balanceBand(credits)).toBe(band)
  })

  it.each([
    [0.42, 'About 42 minutes of audio left'],
    [0.29, 'About 29 minutes of audio left'],
    [0.01, 'About 1 minute of audio left'],
    [0.009, 'No audio left to transcribe'],
    [4.37, 'About 7 hours of audio left'],
  ])('of %d says what it buys', (credits, words) => {
    expect(audioLeft(credits)).toBe(words)
  })
})

describe('an estimate', () => {
  it('asks for the price of one minute while the length is unknown', () => {
    expect(requiredCredits({ state: 'unknown_length' })).toBe(0.01)
  })

  it('asks for nothing definite before it is known', () => {
    expect(requiredCredits({ state: 'loading' })).toBeNull()
    expect(requiredCredits({ state: 'failed', message: '' })).toBeNull()
  })

  it('counts what is missing without the noise of binary fractions', () => {
    expect(missingCredits(0.3, 0.1, 0)).toBe(0.2)
    expect(missingCredits(0.1, 0.3, 0)).toBe(0)
  })

  it('counts what is owed as missing, for what comes in settles it first', () => {
    expect(missingCredits(0.05, 0, 2)).toBe(2.05)
  })
})

describe('a 402', () => {
  it('tells its amounts by its details', () => {
    expect(readShortfall(refusal('', { required_credits: 0.31, available_credits: 0 }))).toEqual({
      required: 0.31,
      available: 0,
    })
  })

  it('tells its amounts by its words where there are no details', () => {
    expect(readShortfall(refusal('Insufficient credits: required 0.31, available 0.04.'))).toEqual({
      required: 0.31,
      available: 0.04,
    })
  })

  it.each([null, '', 'Payment required', 'required some, available none'])('tells none by %j', (detail) => {
    expect(readShortfall(refusal(detail))).toBeNull()
  })
})
