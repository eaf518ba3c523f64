import { describe, expect, it } from 'vitest'
import { episodesPath, slugOf } from './slug.ts'

describe('a slug', () => {
  it.each([
    ['The Harbour Log', 'the-harbour-log'],
    ["What's Next? #12", 'whats-next-12'],
    ['  Slow   Cities  ', 'slow-cities'],
    ['& more', 'more'],
    ['日本', ''],
  ])('of %j is %j', (title, slug) => {
    expect(slugOf(title)).toBe(slug)
  })

  it('falls back to the id of the feed where the title leaves nothing', () => {
    expect(episodesPath({ id: 'f 1/2', title: '日本' })).toBe('/episodes/f%201%2F2')
  })
})
