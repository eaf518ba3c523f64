import {
  Body,
  Controller,
  Get,
  Headers,
  Header,
  HttpCode,
  Inject,
  Post,
  Query,
  UseFilters,
} from '@nestjs/common'
import * as z from 'zod'
import type { SessionTokens } from '@earmark/contracts/identity'
import { Public } from '../../platform/http/access.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import { type AccessClaims, AccessTokens } from '../access-tokens.ts'
import { Sessions } from '../sessions.ts'
import { GoTrueError, GoTrueErrorFilter } from './gotrue-error.ts'
import { type GoTrueUser, toGoTrueUser } from './gotrue-user.ts'

const refreshBody = z.object({ refresh_token: z.string().min(12).max(200) })
const scopes = z.enum(['global', 'local', 'others']).default('global')

/** The part of GoTrue's protocol by which a browser's session lives: refresh, user and sign-out. */
@Public()
@UseFilters(GoTrueErrorFilter)
@Controller('auth/v1')
export class GoTrueController {
  constructor(
    private readonly sessions: Sessions,
    private readonly accessTokens: AccessTokens,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  @Post('token')
  @HttpCode(200)
  async token(
    @Query('grant_type') grantType: unknown,
    @Body() body: unknown,
  ): Promise<SessionTokens & { user: GoTrueUser }> {
    if (grantType !== 'refresh_token')
      throw new GoTrueError(400, 'invalid_credentials', 'unsupported_grant_type')
    const parsed = refreshBody.safeParse(body)
    if (!parsed.success) throw new GoTrueError(400, 'validation_failed', 'Refresh token is not valid')
    const answer = await this.sessions.refresh(parsed.data.refresh_token)
    if ('refused' in answer) {
      const message =
        answer.refused === 'refresh_token_already_used'
          ? 'Invalid Refresh Token: Already Used'
          : 'Invalid Refresh Token: Refresh Token Not Found'
      throw new GoTrueError(400, answer.refused, message)
    }
    return { ...answer.tokens, user: await this.#userById(answer.user.id) }
  }

  @Get('user')
  async user(@Headers('authorization') authorization: string | undefined): Promise<GoTrueUser> {
    const claims = await this.#openSession(authorization)
    return this.#userById(claims.sub)
  }

  @Post('logout')
  @HttpCode(204)
  async logout(
    @Headers('authorization') authorization: string | undefined,
    @Query('scope') scope: unknown,
  ): Promise<void> {
    const claims = await this.#openSession(authorization)
    const parsed = scopes.safeParse(scope)
    if (!parsed.success) throw new GoTrueError(400, 'validation_failed', 'Unsupported logout scope')
    await this.sessions.close(claims.session_id, claims.sub, parsed.data)
  }

  @Get('.well-known/jwks.json')
  @Header('cache-control', 'public, max-age=600')
  keys() {
    return this.accessTokens.publicKeys()
  }

  async #openSession(authorization: string | undefined): Promise<AccessClaims> {
    const token = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1]
    if (token === undefined) {
      throw new GoTrueError(401, 'no_authorization', 'This endpoint requires a valid Bearer token')
    }
    const claims = await this.accessTokens.read(token)
    if (!claims) throw new GoTrueError(403, 'bad_jwt', 'invalid JWT: unable to parse or verify signature')
    if (!(await this.sessions.isOpen(claims.session_id, claims.sub))) {
      throw new GoTrueError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist')
    }
    return claims
  }

  async #userById(id: string): Promise<GoTrueUser> {
    const user = await this.database.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
    if (!user) throw new GoTrueError(403, 'user_not_found', 'User from sub claim in JWT does not exist')
    return toGoTrueUser(user)
  }
}
