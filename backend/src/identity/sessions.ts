import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import { sql, type Transaction } from 'kysely'
import type { SessionTokens } from '@earmark/contracts/identity'
import { CONFIG, type Config } from '../platform/config/config.ts'
import { DATABASE, type Database } from '../platform/postgres/postgres.module.ts'
import type { Schema } from '../platform/postgres/schema.ts'
import { SharedRoundTrips } from '../platform/shared-round-trips.ts'
import { AccessTokens, accessTokenSeconds } from './access-tokens.ts'

/** How long a token that was rotated still answers with its successor: tabs that refresh at once all live on, and
 * auth-js, which tries for 25 s to get an answer, is not taken for a thief. */
const reuseSeconds = 30

export type RefreshRefusal = 'refresh_token_not_found' | 'refresh_token_already_used'

type User = { id: string; email: string }

/**
 * Sessions and their refresh tokens. A token's successor is computed from it with the secret key, so the same token
 * always has the same one successor, however many ask at once, and none has to be stored in the clear.
 */
@Injectable()
export class Sessions {
  readonly #ownersOfOpen = new SharedRoundTrips((sessionIds: string[]) => this.#readOwners(sessionIds), {
    underWay: 2,
    questions: 500,
    timeoutMs: 5000,
  })

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
    private readonly accessTokens: AccessTokens,
  ) {}

  /** Whose each session is; undefined where it is not open. */
  async #readOwners(sessionIds: string[]): Promise<(string | undefined)[]> {
    const open = await this.database
      .selectFrom('sessions')
      .select(['id', 'user_id'])
      .where(sql<boolean>`id = any(${[...new Set(sessionIds)]}::uuid[])`)
      .execute()
    const owners = new Map(open.map((session) => [session.id, session.user_id]))
    return sessionIds.map((id) => owners.get(id))
  }

  async open(user: User): Promise<SessionTokens> {
    const sessionId = randomUUID()
    const refreshToken = randomBytes(32).toString('base64url')
    await this.database.transaction().execute(async (transaction) => {
      await transaction
        .updateTable('users')
        .set({ last_sign_in_at: new Date() })
        .where('id', '=', user.id)
        .execute()
      await transaction.insertInto('sessions').values({ id: sessionId, user_id: user.id }).execute()
      await transaction
        .insertInto('refresh_tokens')
        .values({ id: randomUUID(), session_id: sessionId, token_hash: hashToken(refreshToken) })
        .execute()
    })
    return this.#tokens(user, sessionId, refreshToken)
  }

  /** Trades a refresh token for its successor. One that was used before and comes back late ends its session: it was stolen. */
  async refresh(token: string): Promise<{ user: User; tokens: SessionTokens } | { refused: RefreshRefusal }> {
    const outcome = await this.database
      .transaction()
      .execute((transaction) => this.#rotate(transaction, token))
    if ('refused' in outcome) return outcome
    const { user, sessionId, refreshToken } = outcome
    return { user, tokens: await this.#tokens(user, sessionId, refreshToken) }
  }

  /** Asked with every request: those that come at the same time share the round trip. */
  async isOpen(sessionId: string, userId: string): Promise<boolean> {
    return (await this.#ownersOfOpen.ask(sessionId)) === userId
  }

  async close(sessionId: string, userId: string, scope: 'global' | 'local' | 'others'): Promise<void> {
    let sessions = this.database.deleteFrom('sessions').where('user_id', '=', userId)
    if (scope === 'local') sessions = sessions.where('id', '=', sessionId)
    if (scope === 'others') sessions = sessions.where('id', '!=', sessionId)
    await sessions.execute()
  }

  async #rotate(
    transaction: Transaction<Schema>,
    token: string,
  ): Promise<{ user: User; sessionId: string; refreshToken: string } | { refused: RefreshRefusal }> {
    const found = await transaction
      .selectFrom('refresh_tokens')
      .innerJoin('sessions', 'sessions.id', 'refresh_tokens.session_id')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select(['sessions.id as sessionId', 'users.id as userId', 'users.email'])
      .where('token_hash', '=', hashToken(token))
      .forUpdate('sessions')
      .executeTakeFirst()
    if (!found) return { refused: 'refresh_token_not_found' }

    // Read after the session's lock: whoever held it may have rotated this token meanwhile.
    let presented = token
    let row = await findToken(transaction, token)
    if (row.rotated_at !== null && Date.now() - row.rotated_at.getTime() > reuseSeconds * 1000) {
      await transaction.deleteFrom('sessions').where('id', '=', found.sessionId).execute()
      return { refused: 'refresh_token_already_used' }
    }
    const user = { id: found.userId, email: found.email }
    if (row.rotated_at !== null) {
      while (row.rotated_at !== null) {
        presented = this.#successorOf(presented)
        row = await findToken(transaction, presented)
      }
      return { user, sessionId: found.sessionId, refreshToken: presented }
    }
    const successor = this.#successorOf(token)
    await transaction
      .updateTable('refresh_tokens')
      .set({ rotated_at: new Date() })
      .where('id', '=', row.id)
      .execute()
    await transaction
      .insertInto('refresh_tokens')
      .values({
        id: randomUUID(),
        session_id: found.sessionId,
        parent_id: row.id,
        token_hash: hashToken(successor),
      })
      .execute()
    return { user, sessionId: found.sessionId, refreshToken: successor }
  }

  async #tokens(user: User, sessionId: string, refreshToken: string): Promise<SessionTokens> {
    const issuedAt = Math.floor(Date.now() / 1000)
    return {
      access_token: await this.accessTokens.sign(user, sessionId, issuedAt),
      refresh_token: refreshToken,
      expires_in: accessTokenSeconds,
      expires_at: issuedAt + accessTokenSeconds,
      token_type: 'bearer',
    }
  }

  #successorOf(token: string): string {
    return createHmac('sha256', this.config.secretKey).update(`refresh-token:${token}`).digest('base64url')
  }
}

function findToken(transaction: Transaction<Schema>, token: string) {
  return transaction
    .selectFrom('refresh_tokens')
    .select(['id', 'rotated_at'])
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirstOrThrow()
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
