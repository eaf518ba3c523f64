import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common'
import { Reflector } from '@nestjs/core'
import { isPublicKey, type RequestWithUser } from '../platform/http/access.ts'
import { problem } from '../platform/http/problem.ts'
import { AccessTokens } from './access-tokens.ts'
import { Sessions } from './sessions.ts'

/** Every route asks for a bearer token of an open session, unless it is marked public. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly accessTokens: AccessTokens,
    private readonly sessions: Sessions,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.getAllAndOverride<boolean>(isPublicKey, [context.getHandler(), context.getClass()]))
      return true
    const request = context.switchToHttp().getRequest<RequestWithUser>()
    const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
    const claims = token === undefined ? undefined : await this.accessTokens.read(token)
    // A session that was ended takes its access tokens with it, however long they would still live.
    if (!claims || !(await this.sessions.isOpen(claims.session_id, claims.sub))) {
      throw problem('not_authenticated', 'Please sign in.')
    }
    request.user = { id: claims.sub, email: claims.email, sessionId: claims.session_id }
    return true
  }
}
