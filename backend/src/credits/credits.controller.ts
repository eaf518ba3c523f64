import { Controller } from '@nestjs/common'
import { QueryBus } from '@nestjs/cqrs'
import { Implement, implement } from '@orpc/nest'
import { creditsContract as contract } from '@earmark/contracts/credits'
import { CurrentUser, Public, type SignedInUser } from '../platform/http/access.ts'
import { microcredits, toCredits, zero } from './domain/amounts.ts'
import { GetBalance } from './get-balance/get-balance.handler.ts'
import { GetSpending } from './get-spending/get-spending.handler.ts'
import { GetStatement } from './get-statement/get-statement.handler.ts'
import { toCsv } from './get-statement/statement-csv.ts'
import { ListTransactions } from './list-transactions/list-transactions.handler.ts'
import { priceList, priceOfOperation } from './price-of-operation.ts'

@Controller()
export class CreditsController {
  constructor(private readonly queries: QueryBus) {}

  @Implement(contract.balance)
  balance(@CurrentUser() user: SignedInUser) {
    return implement(contract.balance).handler(async () => {
      const { balanceMicrocredits, owedMicrocredits } = await this.queries.execute(new GetBalance(user.id))
      return {
        balance: toCredits(balanceMicrocredits),
        ...(owedMicrocredits > 0 && { owed: toCredits(owedMicrocredits) }),
      }
    })
  }

  @Implement(contract.estimate)
  estimate() {
    return implement(contract.estimate).handler(({ input: { operation_type, ...factors } }) => ({
      operation_type,
      estimated_cost: toCredits(priceOfOperation(operation_type, factors)),
      factors,
    }))
  }

  @Implement(contract.checkSufficient)
  checkSufficient(@CurrentUser() user: SignedInUser) {
    return implement(contract.checkSufficient).handler(async ({ input: { operation_type, ...factors } }) => {
      const required = priceOfOperation(operation_type, factors)
      const { balanceMicrocredits: available, owedMicrocredits: owed } = await this.queries.execute(
        new GetBalance(user.id),
      )
      // What comes in settles what is owed before it pays for anything.
      const missing = microcredits(Math.max(zero, required - available + owed))
      return {
        sufficient: missing === zero,
        required_credits: toCredits(required),
        available_credits: toCredits(available),
        missing_credits: toCredits(missing),
      }
    })
  }

  @Implement(contract.transactions)
  transactions(@CurrentUser() user: SignedInUser) {
    return implement(contract.transactions).handler(({ input }) =>
      this.queries.execute(new ListTransactions(user.id, input)),
    )
  }

  @Implement(contract.statement)
  statement(@CurrentUser() user: SignedInUser) {
    return implement(contract.statement).handler(async ({ input }) => {
      const period = { from: new Date(input.from), to: new Date(input.to) }
      const statement = await this.queries.execute(new GetStatement(user.id, period))
      return input.format === 'json'
        ? statement
        : new File([toCsv(statement)], 'statement.csv', { type: 'text/csv' })
    })
  }

  @Implement(contract.spending)
  spending(@CurrentUser() user: SignedInUser) {
    return implement(contract.spending).handler(async ({ input }) => ({
      days: await this.queries.execute(new GetSpending(user.id, input.days, input.time_zone)),
    }))
  }

  @Public()
  @Implement(contract.pricing)
  pricing() {
    return implement(contract.pricing).handler(() => ({ pricing: priceList }))
  }
}
