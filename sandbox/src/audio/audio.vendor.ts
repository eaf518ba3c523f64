import { statSync } from 'node:fs'
import { extname } from 'node:path'
import { audioPath, type Catalogue, clipOf } from '../catalogue/catalogue.ts'
import { audioTypes } from '../catalogue/own-audio.ts'
import type { EpisodeAudio } from '../catalogue/show.ts'
import { type FileSlice, openToBrowsers, type Reply, text } from '../http/reply.ts'
import type { Vendor } from '../vendor.ts'

/** The place where the episodes' audio lies, with ranges; `/audio/counted/` redirects as a listener counter does. */
export function audio(catalogue: Catalogue): Vendor {
  const episodes = new Map(
    catalogue.shows.flatMap((show) =>
      show.episodes.map((episode) => [audioPath(show, episode), episode] as const),
    ),
  )
  return {
    name: 'audio',
    title: 'Audio files',
    description: "The episodes' audio, in parts too.",
    paths: ['/audio/'],
    methods: ['GET', 'HEAD'],
    failure: (status, message) => text(status, message),
    answer({ url, headers }) {
      const path = url.pathname.slice('/audio/'.length)
      if (path.startsWith('counted/')) {
        const location = `${catalogue.baseUrl}/audio/${path.slice('counted/'.length)}`
        return { status: 302, headers: { location, ...openToBrowsers } }
      }
      const episode = episodes.get(decodeURIComponent(path))
      if (!episode) return text(404, 'No such file.')
      const type = audioTypes[extname(path).toLowerCase()] ?? 'audio/mpeg'
      return audioReply(catalogue, episode.audio, type, headers.range)
    },
  }
}

function audioReply(
  catalogue: Catalogue,
  source: EpisodeAudio,
  contentType: string,
  range: string | undefined,
): Reply {
  switch (source.kind) {
    case 'clip':
      return ranged(wholeFile(clipOf(catalogue, source.clip).path), contentType, range)
    case 'file':
      return ranged(wholeFile(source.path), contentType, range)
    case 'missing':
      return text(404, 'No such file.')
    case 'webPage':
      return text(200, '<!doctype html><title>Moved</title><p>This recording has moved.</p>', contentType)
    case 'corrupt':
      return ranged(damaged(clipOf(catalogue, source.clip).bytes), contentType, range)
    case 'breaksOff': {
      const { bytes, path } = clipOf(catalogue, source.clip)
      const half = Math.floor(bytes.length / 2)
      return { ...ranged(wholeFile(path), contentType, undefined), breaksAfterBytes: half }
    }
  }
}

function wholeFile(path: string): FileSlice {
  return { path, start: 0, end: statSync(path).size - 1 }
}

/** As long as before, but with no byte left that could begin a frame. */
function damaged(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => byte & 0x7f))
}

/** One range at most, as RFC 9110 section 14 lets a server choose; more than one gets the whole. */
function ranged(body: Buffer | FileSlice, contentType: string, range: string | undefined): Reply {
  const total = Buffer.isBuffer(body) ? body.length : body.end + 1
  const headers = { 'content-type': contentType, 'accept-ranges': 'bytes', ...openToBrowsers }
  const asked = /^bytes=(\d*)-(\d*)$/.exec(range ?? '')
  if (!asked || (asked[1] === '' && asked[2] === '')) return { status: 200, headers, body }

  const [, from = '', to = ''] = asked
  const start = from === '' ? Math.max(0, total - Number(to)) : Number(from)
  const end = from === '' || to === '' ? total - 1 : Math.min(Number(to), total - 1)
  if (start > end) {
    return { status: 416, headers: { ...headers, 'content-range': `bytes */${total}` } }
  }
  return {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${start}-${end}/${total}` },
    body: Buffer.isBuffer(body) ? body.subarray(start, end + 1) : { path: body.path, start, end },
  }
}
