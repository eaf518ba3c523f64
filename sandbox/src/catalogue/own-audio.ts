import { readdirSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Show } from './show.ts'

export const audioTypes: Record<string, string> = {
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.ogg': 'audio/ogg',
  '.wav': 'audio/wav',
  '.flac': 'audio/flac',
}

/**
 * The audio files of a folder (not of those below it) as one more show, the newest file first. Its feed gives no
 * lengths: what the files really hold is for the product to find out.
 */
export function ownAudioShow(folder: string): Show {
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name).toLowerCase() in audioTypes)
    .map(({ name }) => ({ name, path: join(folder, name) }))
    .map((file) => ({ ...file, changedAt: statSync(file.path).mtime }))
    .sort((a, b) => b.changedAt.getTime() - a.changedAt.getTime() || a.name.localeCompare(b.name))

  return {
    slug: 'your-own-audio',
    title: 'Your own audio',
    author: 'You',
    ownerName: 'You',
    description: 'The audio files of the folder that SANDBOX_MEDIA names, one episode each.',
    categories: ['Personal Journals'],
    colour: '#0b5d4e',
    initial: 'Y',
    podcastIndexId: 920099,
    itunesId: 1700000099,
    itunesFeedEndsInSlash: false,
    countsListeners: false,
    episodes: files.map(({ name, path, changedAt }) => ({
      slug: name,
      title: name.slice(0, -extname(name).length).replace(/[-_]+/g, ' '),
      descriptionHtml: '<p>A file of your own.</p>',
      publishedAt: changedAt,
      feedDuration: null,
      audio: { kind: 'file', path },
    })),
  }
}
