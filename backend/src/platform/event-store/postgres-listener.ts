import pg from 'pg'
import type { Logger } from 'pino'
import { Doorbell } from './doorbell.ts'
import { eventsChannel } from './postgres-statements.ts'

/** Hears of each append by whatever process. Opened by the first who waits, and again when its connection is lost. */
export class PostgresListener {
  readonly #doorbell = new Doorbell()
  #opening: Promise<pg.Client> | undefined
  #client: pg.Client | undefined

  constructor(
    private readonly databaseUrl: string,
    private readonly logger: Logger,
  ) {}

  /** Resolves when there may be new events, or after `timeoutMs`: a word may be missed while the connection is away. */
  async wait(timeoutMs: number, signal: AbortSignal): Promise<void> {
    this.#open().catch((error: unknown) =>
      this.logger.warn({ error: String(error) }, 'cannot listen for events'),
    )
    await this.#doorbell.wait(timeoutMs, signal)
  }

  async close() {
    const client = await this.#opening?.catch(() => undefined)
    await client?.end()
  }

  #open(): Promise<pg.Client> {
    this.#opening ??= this.#connect().catch((error: unknown) => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.databaseUrl,
      application_name: 'earmark-listener',
      connectionTimeoutMillis: 5000,
      keepAlive: true,
    })
    const lost = () => {
      // `error` and `end` both come: the second must not forget the client that was opened since.
      if (this.#client === client) {
        this.#opening = undefined
        this.#client = undefined
      }
      this.#doorbell.ring()
    }
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', () => this.#doorbell.ring())
    this.#client = client
    try {
      await client.connect()
      await client.query(`listen ${eventsChannel}`)
    } catch (error) {
      client.end().catch(() => undefined)
      throw error
    }
    // What came while nobody listened.
    this.#doorbell.ring()
    return client
  }
}
