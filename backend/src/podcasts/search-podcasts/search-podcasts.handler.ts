import { Inject } from '@nestjs/common'
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs'
import type { Logger } from 'pino'
import type { Feed } from '@earmark/contracts/podcasts'
import { CONFIG, type Config } from '../../platform/config/config.ts'
import { problem } from '../../platform/http/problem.ts'
import { LOGGER } from '../../platform/logging/logging.module.ts'
import type { Directory, FoundShow } from '../directories/directory.ts'
import { itunes } from '../directories/itunes.ts'
import { podcastIndex } from '../directories/podcast-index.ts'
import { feedKey } from '../feed-identity.ts'
import { Feeds } from '../feeds.ts'

/** A directory that takes longer is left out, so that one that is slow costs no more than its own shows. */
const directoryMs = 3000

export class SearchPodcasts extends Query<Feed[]> {
  constructor(readonly term: string) {
    super()
  }
}

@QueryHandler(SearchPodcasts)
export class SearchPodcastsHandler implements IQueryHandler<SearchPodcasts> {
  readonly #directories: Directory[]

  constructor(
    @Inject(CONFIG) config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly feeds: Feeds,
  ) {
    const { names } = config.directories
    this.#directories = names.map((name) =>
      name === 'itunes' ? itunes(config.directories.itunes) : podcastIndex(config.directories.podcastIndex),
    )
  }

  async execute({ term }: SearchPodcasts): Promise<Feed[]> {
    const answers = await Promise.all(this.#directories.map((directory) => this.#ask(directory, term)))
    if (answers.every((answer) => answer === undefined)) {
      throw problem(
        'directories_unavailable',
        'The podcast directories cannot be reached. Please try again shortly.',
      )
    }
    return this.feeds.remember(mergeByFeed(answers.filter((answer) => answer !== undefined)))
  }

  async #ask(directory: Directory, term: string): Promise<FoundShow[] | undefined> {
    try {
      return await directory.search(term, AbortSignal.timeout(directoryMs))
    } catch (error) {
      this.logger.warn({ directory: directory.name, error: String(error) }, 'podcast directory left out')
      return undefined
    }
  }
}

/**
 * One list of several: the directories' best first, turn by turn, each feed once. What one directory leaves empty
 * another fills in.
 */
export function mergeByFeed(answers: FoundShow[][]): FoundShow[] {
  const merged = new Map<string, FoundShow>()
  const longest = Math.max(0, ...answers.map((answer) => answer.length))
  for (let rank = 0; rank < longest; rank += 1) {
    for (const answer of answers) {
      const show = answer[rank]
      if (!show || !/^https?:\/\//i.test(show.feedUrl)) continue
      const key = feedKey(show.feedUrl)
      const known = merged.get(key)
      merged.set(key, known ? fillIn(known, show) : show)
    }
  }
  return [...merged.values()]
}

function fillIn(known: FoundShow, other: FoundShow): FoundShow {
  return {
    ...known,
    title: known.title || other.title,
    // iTunes knows only whose show it is.
    description: /^By /.test(known.description)
      ? other.description || known.description
      : known.description || other.description,
    image: known.image || other.image,
    artwork: known.artwork || other.artwork,
    link: known.link || other.link,
  }
}
