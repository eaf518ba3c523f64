import { describe, expect, it } from 'vitest'
import { slugOf } from '@earmark/contracts/slug'
import { episodesPath } from './slug.ts'

describe('a slug', () => {
  it.each([
    ['The Harbour Log', 'the-harbour-log'],
    ["What's Next? #12", 'whats-next-12'],
    ['  Slow   Cities  ', 'slow-cities'],
    ['& more', 'more'],
    ['日本', '日本'],
    ['Café – Über', 'café-über'],
    ['!?', ''],
  ])('of %j is %j', (title, slug) => {
    expect(slugOf(title)).toBe(slug)
  })

  it('falls back to the id of the feed where the title leaves nothing', () => {
    expect(episodesPath({ id: 'f 1/2', title: '!?' })).toBe('/episodes/f%201%2F2')
  })
})
