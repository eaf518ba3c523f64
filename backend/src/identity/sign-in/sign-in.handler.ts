import { Inject } from '@nestjs/common'
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs'
import type { SessionTokens } from '@earmark/contracts/identity'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import { BotChallenge } from '../challenge/bot-challenge.ts'
import { isRightPassword } from '../password.ts'
import { Sessions } from '../sessions.ts'

export type SignInAnswer =
  | { outcome: 'signed_in'; userId: string; tokens: SessionTokens }
  | { outcome: 'challenge_refused' | 'invalid_credentials' }

export class SignIn extends Command<SignInAnswer> {
  constructor(
    readonly email: string,
    readonly password: string,
    readonly challengeToken: string,
  ) {
    super()
  }
}

@CommandHandler(SignIn)
export class SignInHandler implements ICommandHandler<SignIn> {
  constructor(
    private readonly challenge: BotChallenge,
    private readonly sessions: Sessions,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  async execute({ email, password, challengeToken }: SignIn): Promise<SignInAnswer> {
    if (!(await this.challenge.isSolved(challengeToken))) return { outcome: 'challenge_refused' }
    const user = await this.database
      .selectFrom('users')
      .select(['id', 'email', 'password_hash'])
      .where((where) => where(where.fn('lower', ['email']), '=', email.toLowerCase()))
      .executeTakeFirst()
    if (!(await isRightPassword(user?.password_hash, password)) || !user)
      return { outcome: 'invalid_credentials' }
    return { outcome: 'signed_in', userId: user.id, tokens: await this.sessions.open(user) }
  }
}
