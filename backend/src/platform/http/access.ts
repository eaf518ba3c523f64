import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common'
import type { FastifyRequest } from 'fastify'

/** Who made the request, as their access token says. */
export type SignedInUser = { id: string; email: string; sessionId: string }

export type RequestWithUser = FastifyRequest & { user?: SignedInUser }

export const isPublicKey = 'earmark:public'

/** Marks a route that anybody may call; all others ask for a bearer token. */
export const Public = () => SetMetadata(isPublicKey, true)

export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext): SignedInUser => {
  const { user } = context.switchToHttp().getRequest<RequestWithUser>()
  if (!user) throw new Error('A public route asked who is signed in')
  return user
})
