import { randomUUID } from 'node:crypto'
import { Inject } from '@nestjs/common'
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import { BotChallenge } from '../challenge/bot-challenge.ts'
import { hashPassword } from '../password.ts'

export class SignUp extends Command<'done' | 'challenge_refused'> {
  constructor(
    readonly email: string,
    readonly password: string,
    readonly challengeToken: string,
  ) {
    super()
  }
}

/** Makes an account. A known address gets the same answer after the same work, and its account stays as it is. */
@CommandHandler(SignUp)
export class SignUpHandler implements ICommandHandler<SignUp> {
  constructor(
    private readonly challenge: BotChallenge,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  async execute({ email, password, challengeToken }: SignUp): Promise<'done' | 'challenge_refused'> {
    if (!(await this.challenge.isSolved(challengeToken))) return 'challenge_refused'
    await this.database
      .insertInto('users')
      .values({ id: randomUUID(), email: email.toLowerCase(), password_hash: await hashPassword(password) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return 'done'
  }
}
