import { createHash, createHmac } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import { createChallenge, randomInt, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { Logger } from 'pino'
import * as z from 'zod'
import { CONFIG, type Config } from '../../platform/config/config.ts'
import { LOGGER } from '../../platform/logging/logging.module.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'

const challengeSeconds = 600
/** https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ */
export const turnstileVerify = 'https://challenges.cloudflare.com/turnstile/v0/siteverify'
const turnstileTimeoutMs = 5000

const payloadSchema = z.object({
  challenge: z.object({
    parameters: z.looseObject({ expiresAt: z.number() }),
    signature: z.string(),
  }),
  solution: z.looseObject({ counter: z.number(), derivedKey: z.string() }),
})

/** The proof that a person, or at least some work, stands behind a form. Each proof counts once. */
@Injectable()
export class BotChallenge {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  get settings() {
    const { turnstile } = this.config
    return turnstile
      ? { provider: 'turnstile' as const, site_key: turnstile.siteKey }
      : { provider: 'altcha' as const }
  }

  async create(): Promise<Record<string, unknown>> {
    const challenge = await createChallenge({
      algorithm: 'PBKDF2/SHA-256',
      // Some tenths of a second of a phone's time.
      cost: 2000,
      counter: randomInt(200, 400),
      deriveKey,
      expiresAt: Math.floor(Date.now() / 1000) + challengeSeconds,
      hmacSignatureSecret: this.#secret('altcha-challenge'),
      hmacKeySignatureSecret: this.#secret('altcha-key'),
    })
    return { ...challenge }
  }

  /** Whether `token` is a proof that was not used before. A verifier that is down is a no. */
  async isSolved(token: string): Promise<boolean> {
    return this.config.turnstile
      ? this.#isSolvedTurnstile(token, this.config.turnstile.secretKey)
      : this.#isSolvedAltcha(token)
  }

  async #isSolvedAltcha(token: string): Promise<boolean> {
    const payload = payloadSchema.safeParse(decodeJson(token))
    if (!payload.success) return false
    const { challenge, solution } = payload.data
    const result = await verifySolution({
      challenge: challenge as unknown as Parameters<typeof verifySolution>[0]['challenge'],
      solution: solution,
      deriveKey,
      hmacSignatureSecret: this.#secret('altcha-challenge'),
      hmacKeySignatureSecret: this.#secret('altcha-key'),
    }).catch(() => undefined)
    if (!result?.verified) return false
    return this.#useOnce(challenge.signature, new Date(challenge.parameters.expiresAt * 1000))
  }

  async #useOnce(signature: string, expiresAt: Date): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.database
      .insertInto('used_challenges')
      .values({ solution_hash: createHash('sha256').update(signature).digest(), expires_at: expiresAt })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    await this.database.deleteFrom('used_challenges').where('expires_at', '<', new Date()).execute()
    return numInsertedOrUpdatedRows === 1n
  }

  async #isSolvedTurnstile(token: string, secret: string): Promise<boolean> {
    try {
      const response = await fetch(turnstileVerify, {
        method: 'POST',
        body: new URLSearchParams({ secret, response: token }),
        signal: AbortSignal.timeout(turnstileTimeoutMs),
      })
      // Turnstile itself takes each token once.
      return z.object({ success: z.boolean() }).parse(await response.json()).success
    } catch (error) {
      this.logger.error({ error: String(error) }, 'the bot challenge cannot be verified')
      return false
    }
  }

  #secret(purpose: string): string {
    return createHmac('sha256', this.config.secretKey).update(purpose).digest('hex')
  }
}

function decodeJson(base64: string): unknown {
  try {
    return JSON.parse(Buffer.from(base64, 'base64').toString('utf8'))
  } catch {
    return undefined
  }
}
