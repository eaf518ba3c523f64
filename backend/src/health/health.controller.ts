import { Controller, Inject } from '@nestjs/common'
import { Implement, implement } from '@orpc/nest'
import { healthContract as contract } from '@earmark/contracts/health'
import { CONFIG, type Config } from '../platform/config/config.ts'
import { checkHome } from '../platform/event-store/event-store-home.ts'
import { Public } from '../platform/http/access.ts'
import { problem } from '../platform/http/problem.ts'
import { POOL, type Pool } from '../platform/postgres/postgres.module.ts'
import { Projectors } from '../platform/projections/projections.module.ts'
import { TemporalConnection } from '../platform/temporal/temporal-connection.ts'

/** Longer than any burst takes; a history that is older is not worth asking for. */
const mostSecondsBehind = 30

type Part = { name: string; ready: boolean; reason?: string }

@Public()
@Controller()
export class HealthController {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(CONFIG) private readonly config: Config,
    private readonly temporal: TemporalConnection,
    private readonly projectors: Projectors,
  ) {}

  @Implement(contract.live)
  live() {
    return implement(contract.live).handler(() => ({ status: 'ok' as const }))
  }

  @Implement(contract.ready)
  ready() {
    return implement(contract.ready).handler(async () => {
      const parts = await Promise.all([
        check('database', async () => {
          await this.pool.query('select 1')
        }),
        check('ledger', () => checkHome(this.pool, this.config.eventStore.name)),
        check('workflows', () => this.temporal.checkReachable()),
        check('worker', () => this.temporal.checkWorkerPolls()),
        check('projections', () => this.#checkProjections()),
      ])
      if (!parts.every((part) => part.ready)) {
        const missing = parts.filter((part) => !part.ready).map((part) => part.name)
        throw problem('temporarily_unavailable', `Not ready: ${missing.join(', ')}`, { parts })
      }
      return { status: 'ready' as const, parts }
    })
  }

  async #checkProjections() {
    for (const { name, failure, secondsBehind } of await this.projectors.standing(1)) {
      // Whose event it is and what is in it is for the log: this is read by anybody.
      if (failure !== undefined) throw new Error(`${name} has stopped: the log says at which event`)
      if (secondsBehind > mostSecondsBehind)
        throw new Error(`${name} is ${Math.round(secondsBehind)} s behind`)
    }
  }
}

async function check(name: string, probe: () => Promise<void>): Promise<Part> {
  try {
    await probe()
    return { name, ready: true }
  } catch (error) {
    return { name, ready: false, reason: error instanceof Error ? error.message : String(error) }
  }
}
