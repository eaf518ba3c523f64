import {
  type DynamicModule,
  Inject,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common'
import type { Logger } from 'pino'
import { EventStore } from '../event-store/event-store.ts'
import { LOGGER } from '../logging/logging.module.ts'
import { POOL, type Pool } from '../postgres/postgres.module.ts'
import type { Projection } from './projection.ts'
import { type Progress, progressOf } from './progress.ts'
import { Projector } from './projector.ts'

const PROJECTIONS = Symbol('Projections')

/** `failure`: why this process cannot go on with it. */
export type Standing = Progress & { name: string; failure: string | undefined }

/** The projectors of this process. */
@Injectable()
export class Projectors implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #projectors: readonly Projector[]

  constructor(
    @Inject(PROJECTIONS) projections: readonly Projection[],
    private readonly events: EventStore,
    @Inject(POOL) private readonly pool: Pool,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#projectors = projections.map((projection) => new Projector(projection, { events, pool, logger }))
  }

  /** How each of them stands; no more than `countUpTo` events behind are counted. */
  standing(countUpTo: number): Promise<Standing[]> {
    return Promise.all(
      this.#projectors.map(async ({ projection, failure }) => ({
        name: projection.name,
        failure,
        ...(await progressOf(projection, this.events, this.pool, countUpTo)),
      })),
    )
  }

  onApplicationBootstrap() {
    for (const projector of this.#projectors) projector.start()
  }

  async onApplicationShutdown() {
    await Promise.all(this.#projectors.map((projector) => projector.stop()))
  }
}

/** Keeps `projections` up to date while the process runs. */
@Module({})
export class ProjectionsModule {
  static of(projections: readonly Projection[]): DynamicModule {
    return {
      module: ProjectionsModule,
      providers: [{ provide: PROJECTIONS, useValue: projections }, Projectors],
      exports: [Projectors],
    }
  }
}
