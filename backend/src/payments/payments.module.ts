import { Module } from '@nestjs/common'
import { CompletePaymentHandler } from './complete-payment/complete-payment.handler.ts'
import { CreateCheckoutSessionHandler } from './create-checkout-session/create-checkout-session.handler.ts'
import { GetSessionStatusHandler } from './get-session-status/get-session-status.handler.ts'
import { ListPackagesHandler } from './list-packages/list-packages.handler.ts'
import { PaymentConfirmation } from './payment-confirmation.ts'
import { PaymentsController } from './payments.controller.ts'
import { ReceiveWebhookHandler } from './receive-webhook/receive-webhook.handler.ts'
import { ReconcilePayments } from './reconcile-payments/reconcile-payments.ts'
import { StripeClient } from './stripe-client.ts'
import { WebhookController } from './webhook.controller.ts'

@Module({
  controllers: [PaymentsController, WebhookController],
  providers: [
    ListPackagesHandler,
    CreateCheckoutSessionHandler,
    GetSessionStatusHandler,
    CompletePaymentHandler,
    ReceiveWebhookHandler,
    ReconcilePayments,
    PaymentConfirmation,
    StripeClient,
  ],
})
export class PaymentsModule {}
