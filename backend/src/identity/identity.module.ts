import { Module } from '@nestjs/common'
import { APP_GUARD } from '@nestjs/core'
import { AccessGuard } from './access.guard.ts'
import { AccessTokens } from './access-tokens.ts'
import { BotChallenge } from './challenge/bot-challenge.ts'
import { GoTrueController } from './gotrue/gotrue.controller.ts'
import { IdentityController } from './identity.controller.ts'
import { Sessions } from './sessions.ts'
import { SignInHandler } from './sign-in/sign-in.handler.ts'
import { SignUpHandler } from './sign-up/sign-up.handler.ts'

@Module({
  controllers: [IdentityController, GoTrueController],
  providers: [
    SignUpHandler,
    SignInHandler,
    BotChallenge,
    Sessions,
    AccessTokens,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
})
export class IdentityModule {}
