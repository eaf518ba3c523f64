import { Controller } from '@nestjs/common'
import { CommandBus, QueryBus } from '@nestjs/cqrs'
import { Implement, implement } from '@orpc/nest'
import { paymentsContract as contract } from '@earmark/contracts/payments'
import { CurrentUser, Public, type SignedInUser } from '../platform/http/access.ts'
import { CompletePayment } from './complete-payment/complete-payment.handler.ts'
import { CreateCheckoutSession } from './create-checkout-session/create-checkout-session.handler.ts'
import { GetSessionStatus } from './get-session-status/get-session-status.handler.ts'
import { ListPackages } from './list-packages/list-packages.handler.ts'

@Controller()
export class PaymentsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Public()
  @Implement(contract.packages)
  packages() {
    return implement(contract.packages).handler(async () => ({
      packages: await this.queries.execute(new ListPackages()),
    }))
  }

  @Implement(contract.createCheckoutSession)
  createCheckoutSession(@CurrentUser() user: SignedInUser) {
    return implement(contract.createCheckoutSession).handler(({ input: { package_id, ...shown } }) =>
      this.commands.execute(new CreateCheckoutSession(user, package_id, shown)),
    )
  }

  @Implement(contract.sessionStatus)
  sessionStatus(@CurrentUser() user: SignedInUser) {
    return implement(contract.sessionStatus).handler(({ input }) =>
      this.queries.execute(new GetSessionStatus(user.id, input.session_id)),
    )
  }

  @Implement(contract.completePayment)
  completePayment(@CurrentUser() user: SignedInUser) {
    return implement(contract.completePayment).handler(({ input }) =>
      this.commands.execute(new CompletePayment(user.id, input.query.session_id)),
    )
  }
}
