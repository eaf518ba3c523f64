import { Module } from '@nestjs/common'
import { LedgerModule } from '../../credits/credits.module.ts'
import { StripeClient } from '../stripe-client.ts'
import { ConfirmPaymentActivities } from './confirm-payment.activities.ts'
import { Receipts } from './receipts.ts'

/** The worker's part of a payment. */
@Module({
  imports: [LedgerModule],
  providers: [ConfirmPaymentActivities, Receipts, StripeClient],
})
export class ConfirmPaymentModule {}
