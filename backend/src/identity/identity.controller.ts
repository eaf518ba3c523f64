import { Controller } from '@nestjs/common'
import { CommandBus } from '@nestjs/cqrs'
import { Implement, implement } from '@orpc/nest'
import { identityContract as contract } from '@earmark/contracts/identity'
import { Public } from '../platform/http/access.ts'
import { problem } from '../platform/http/problem.ts'
import { BotChallenge } from './challenge/bot-challenge.ts'
import { SignIn } from './sign-in/sign-in.handler.ts'
import { SignUp } from './sign-up/sign-up.handler.ts'

/** The product's own front door; the session lives on by the provider's protocol (`gotrue/`). */
@Public()
@Controller()
export class IdentityController {
  constructor(
    private readonly commands: CommandBus,
    private readonly botChallenge: BotChallenge,
  ) {}

  @Implement(contract.signUp)
  signUp() {
    return implement(contract.signUp).handler(async ({ input }) => {
      const outcome = await this.commands.execute(
        new SignUp(input.email, input.password, input.turnstile_token),
      )
      if (outcome === 'challenge_refused') throw challengeRefused()
      return { message: 'Account created successfully! You can now sign in.' }
    })
  }

  @Implement(contract.signIn)
  signIn() {
    return implement(contract.signIn).handler(async ({ input }) => {
      const answer = await this.commands.execute(
        new SignIn(input.email, input.password, input.turnstile_token),
      )
      switch (answer.outcome) {
        case 'signed_in':
          return answer.tokens
        case 'challenge_refused':
          throw challengeRefused()
        case 'invalid_credentials':
          throw problem('invalid_credentials', 'Invalid credentials')
      }
    })
  }

  @Implement(contract.challenge)
  challenge() {
    return implement(contract.challenge).handler(() => this.botChallenge.create())
  }

  @Implement(contract.challengeSettings)
  challengeSettings() {
    return implement(contract.challengeSettings).handler(() => this.botChallenge.settings)
  }
}

function challengeRefused() {
  return problem('invalid_challenge', 'The security challenge was not accepted. Please solve it again.')
}
