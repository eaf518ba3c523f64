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

type Imported = Awaited<ReturnType<typeof importJWK>>
type SigningKey = { kid: string; privateKey: Imported; publicKey: Imported; publicJwk: JWK }

/** So many tokens whose signature was checked need not be checked again. */
const rememberedTokens = 10_000

const claimsSchema = z.object({ sub: z.uuid(), email: z.string(), session_id: z.uuid(), exp: z.int() })
export type AccessClaims = z.infer<typeof claimsSchema>

/** Signs and reads access tokens. The key is made once and kept in the database, so that every process knows it. */
@Injectable()
export class AccessTokens {
  #key: Promise<SigningKey> | undefined
  /** By the token itself: who sends it again holds it. The first is the one that was checked longest ago. */
  readonly #checked = new Map<string, AccessClaims>()

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
      .sign(key.privateKey)
  }

  /** The claims of a token that is ours and alive, else undefined. */
  async read(token: string): Promise<AccessClaims | undefined> {
    const checked = this.#checked.get(token)
    if (checked && checked.exp * 1000 > Date.now()) return checked
    const claims = await this.#check(token)
    if (claims) this.#remember(token, claims)
    else this.#checked.delete(token)
    return claims
  }

  async #check(token: string): Promise<AccessClaims | undefined> {
    const key = await this.#signingKey()
    try {
      const { payload, protectedHeader } = await jwtVerify(token, key.publicKey, {
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

  #remember(token: string, claims: AccessClaims) {
    this.#checked.set(token, claims)
    if (this.#checked.size <= rememberedTokens) return
    const [oldest] = this.#checked.keys()
    if (oldest !== undefined) this.#checked.delete(oldest)
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
    const privateJwk = row.private_jwk as JWK
    const { d: _private, ...publicJwk } = privateJwk
    return {
      kid: row.kid,
      privateKey: await importJWK(privateJwk, algorithm),
      publicKey: await importJWK(publicJwk, algorithm),
      publicJwk,
    }
  }
}
