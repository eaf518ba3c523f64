import { describe, expect, it } from 'vitest'
import { slugOf } from '@earmark/contracts/slug'
import { feedId, feedKey } from './feed-identity.ts'
import { plainText } from './plain-text.ts'
import { readFeed, UnreadableFeed } from './read-feed.ts'

const rss = (items: string, channel = '') =>
  `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>A &amp; B</title><description>d</description>${channel}${items}</channel></rss>`
const item = (inner: string) => `<item><guid>one</guid><title>One</title>${inner}</item>`
const read = (xml: string) => readFeed('feed', xml)
const doctype = '<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'

describe('reading a feed', () => {
  it('takes what it says, and nothing where it says nothing sound', () => {
    const { title, episodes } = read(
      rss(
        item(
          '<pubDate>Tue, 15 Sep 2026 05:00:00 GMT</pubDate><itunes:duration>1:01:01</itunes:duration><enclosure url="https://a.example/1.mp3" length="1000" type="audio/mpeg"/>',
        ) +
          '<item><guid>two</guid><pubDate>yesterday</pubDate><itunes:duration>soon</itunes:duration><enclosure url="javascript:alert(1)" length="many" type="audio/mpeg"/></item>' +
          '<item><guid>two</guid><title>the same again</title></item><item></item>',
      ),
    )
    expect(title).toBe('A & B')
    expect(episodes).toEqual([
      expect.objectContaining({
        title: 'One',
        published_at: '2026-09-15T05:00:00.000Z',
        duration_seconds: 3661,
        filesize_bytes: 1000,
        audio_url: 'https://a.example/1.mp3',
      }),
      expect.objectContaining({
        title: 'Untitled Episode',
        published_at: null,
        duration_seconds: null,
        filesize_bytes: null,
        audio_url: null,
      }),
    ])
  })

  it.each([
    ['at its head', doctype + rss('')],
    [
      'behind a declaration, a comment and an instruction',
      `<?xml version="1.0"?>\n<!-- a > b --><?style <!-- ?>\n${doctype}${rss('').replace(/<\?.*?\?>/, '')}`,
    ],
    ['in lower case', rss('').replace('<rss', `${doctype.toLowerCase()}<rss`)],
    ['behind a mark of its byte order', `\uFEFF${doctype}${rss('')}`],
    ['inside the channel', rss(doctype)],
    ['behind a comment that only seems to begin', rss('').replace('<rss', `<?a <!-- ?>${doctype}<rss`)],
  ])('refuses a DOCTYPE %s', (_where, xml) => {
    expect(() => read(xml)).toThrow('declares a DOCTYPE')
  })

  it('lets an episode speak of a DOCTYPE', () => {
    const notes =
      '<description><![CDATA[<!DOCTYPE html> is how a page begins]]></description><!-- <!DOCTYPE -->'
    expect(read(rss(item(notes))).episodes).toHaveLength(1)
  })

  it.each([
    '',
    'nonsense',
    '<html><body>no feed</body></html>',
    '{"version":"https://jsonfeed.org/version/1.1","title":"a"}',
    '<rss',
    '<feed xmlns="http://www.w3.org/2005/Atom"><title>a</title></feed>',
  ])('refuses %j', (xml) => {
    expect(() => read(xml)).toThrow(UnreadableFeed)
  })

  it('holds nothing that PostgreSQL cannot keep', () => {
    const odd = 'a\0b&#0;c&#xD800;d\ud800e'
    const { episodes, ...feed } = read(
      rss(
        item(
          `<description>${odd}</description><itunes:image href="${odd}"/><enclosure url="https://a.example/${odd}" type="audio/mpeg"/>`,
        ).replace('One', odd),
        `<link>${odd}</link><itunes:image href="https://a.example/${odd}"/>`,
      ),
    )
    const text = JSON.stringify({ feed, episodes })
    expect(text).not.toMatch(/\\u0000|\\ud800/)
    expect(episodes).toHaveLength(1)
  })

  // Each of these took minutes where a pattern could match in more ways than one; the test's own time limit is the check.
  it.each([
    ['blanks before the root', `${' '.repeat(100_000)}<x/>`],
    ['instructions without end', '<??>'.repeat(50_000) + '<x/>'],
    ['comments without end', '<!--'.repeat(200_000)],
    ['tags without end in notes', rss(item(`<description><![CDATA[${'<'.repeat(500_000)}]]></description>`))],
    [
      'line breaks without end in notes',
      rss(item(`<description><![CDATA[${'<br '.repeat(200_000)}]]></description>`)),
    ],
    ['blank lines in notes', rss(item(`<description><![CDATA[${' \n'.repeat(300_000)}x]]></description>`))],
  ])(
    'is done soon with %s',
    (_what, xml) => {
      try {
        read(xml)
      } catch (error) {
        expect(error).toBeInstanceOf(UnreadableFeed)
      }
    },
    5000,
  )
})

describe('what HTML says', () => {
  it.each([
    ['<p>One</p><p>Two &amp; three</p>', 'One\nTwo & three'],
    ['a<br/>b<br>c', 'a\nb\nc'],
    ['<ul><li>x</li><li>y</li></ul>', 'x\ny'],
    ['  a \n\n\n\n b  ', 'a\n\nb'],
    ['1 < 2', '1 < 2'],
    [undefined, ''],
  ])('%j is %j', (html, text) => {
    expect(plainText(html)).toBe(text)
  })
})

describe('the names of a feed', () => {
  it.each([
    ['The Harbour Log', 'the-harbour-log'],
    ['  R&D: what’s next?  ', 'rd-whats-next'],
    ['Über - Straße', 'über-straße'],
    ['日本語', '日本語'],
    ['!!!', ''],
  ])('makes of %j the slug %j', (title, slug) => {
    expect(slugOf(title)).toBe(slug)
  })

  it('are one for each way to write its address', () => {
    const keys = ['https://A.example/feed', 'http://a.example/feed/', 'https://a.example:443/feed#top'].map(
      feedKey,
    )
    expect(new Set(keys).size).toBe(1)
    expect(feedId('https://a.example/feed?a=1')).not.toBe(feedId('https://a.example/feed?a=2'))
  })
})
