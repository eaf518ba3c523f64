import { Inject, Injectable } from '@nestjs/common'
import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  jwtVerify,
  SignJWT,
} from 'jose'
import * as z from 'zod'
import { CONFIG, type Config } from '../platform/config/config.ts'
import { DATABASE, type Database } from '../platform/postgres/postgres.module.ts'

const algorithm = 'ES256'
const audience = 'authenticated'

export const accessTokenSeconds = 900

type SigningKey = { kid: string; privateJwk: JWK; publicJwk: JWK }

const claimsSchema = z.object({ sub: z.uuid(), email: z.string(), session_id: z.uuid(), exp: z.int() })
export type AccessClaims = z.infer<typeof claimsSchema>

/** Signs and reads access tokens. The key is made once and kept in the database, so that every process knows it. */
@Injectable()
export class AccessTokens {
  #key: Promise<SigningKey> | undefined

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  get issuer(): string {
    return `${this.config.http.publicUrl}/v1/auth/v1`
  }

  async sign(
    user: { id: string; email: string },
    sessionId: string,
    issuedAtSeconds: number,
  ): Promise<string> {
    const key = await this.#signingKey()
    // The claims of GoTrue's access tokens, which clients read.
    return new SignJWT({
      email: user.email,
      phone: '',
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: {},
      role: 'authenticated',
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: issuedAtSeconds }],
      session_id: sessionId,
      is_anonymous: false,
    })
      .setProtectedHeader({ alg: algorithm, kid: key.kid, typ: 'JWT' })
      .setIssuer(this.issuer)
      .setSubject(user.id)
      .setAudience(audience)
      .setIssuedAt(issuedAtSeconds)
      .setExpirationTime(issuedAtSeconds + accessTokenSeconds)
      .sign(await importJWK(key.privateJwk, algorithm))
  }

  /** The claims of a token that is ours and alive, else undefined. */
  async read(token: string): Promise<AccessClaims | undefined> {
    const key = await this.#signingKey()
    try {
      const { payload, protectedHeader } = await jwtVerify(token, await importJWK(key.publicJwk, algorithm), {
        algorithms: [algorithm],
        audience,
        issuer: this.issuer,
      })
      if (protectedHeader.kid !== key.kid) return undefined
      return claimsSchema.safeParse(payload).data
    } catch {
      return undefined
    }
  }

  async publicKeys(): Promise<{ keys: JWK[] }> {
    const { kid, publicJwk } = await this.#signingKey()
    return { keys: [{ ...publicJwk, kid, alg: algorithm, use: 'sig', key_ops: ['verify'] }] }
  }

  #signingKey(): Promise<SigningKey> {
    this.#key ??= this.#loadOrMakeKey().catch((error: unknown) => {
      this.#key = undefined
      throw error
    })
    return this.#key
  }

  async #loadOrMakeKey(): Promise<SigningKey> {
    const stored = await this.#loadKey()
    if (stored) return stored
    const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
    const jwk = await exportJWK(privateKey)
    // Two processes may come here at once: the oldest key is the one that all of them use.
    await this.database
      .insertInto('signing_keys')
      .values({ kid: await calculateJwkThumbprint(jwk), private_jwk: JSON.stringify(jwk) })
      .execute()
    const key = await this.#loadKey()
    if (!key) throw new Error('The signing key that was just written is not there')
    return key
  }

  async #loadKey(): Promise<SigningKey | undefined> {
    const row = await this.database
      .selectFrom('signing_keys')
      .selectAll()
      .orderBy('created_at')
      .orderBy('kid')
      .limit(1)
      .executeTakeFirst()
    if (!row) return undefined
    const { d: _private, ...publicJwk } = row.private_jwk as JWK
    return { kid: row.kid, privateJwk: row.private_jwk, publicJwk }
  }
}
