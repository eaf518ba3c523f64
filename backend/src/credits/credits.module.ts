import { Module } from '@nestjs/common'
import { AdjustCreditsHandler } from './adjust-credits/adjust-credits.handler.ts'
import { CreditsController } from './credits.controller.ts'
import { DeductCreditsHandler } from './deduct-credits/deduct-credits.handler.ts'
import { GetBalanceHandler } from './get-balance/get-balance.handler.ts'
import { GetStatementHandler } from './get-statement/get-statement.handler.ts'
import { GrantCreditsHandler } from './grant-credits/grant-credits.handler.ts'
import { GetSpendingHandler } from './get-spending/get-spending.handler.ts'
import { Ledger } from './ledger.ts'
import { ListTransactionsHandler } from './list-transactions/list-transactions.handler.ts'
import { RefundCreditsHandler } from './refund-credits/refund-credits.handler.ts'
import { ReverseCreditsHandler } from './reverse-credits/reverse-credits.handler.ts'

/** The commands that move credits: what the worker and the operator's command need. */
@Module({
  providers: [
    Ledger,
    GrantCreditsHandler,
    DeductCreditsHandler,
    RefundCreditsHandler,
    AdjustCreditsHandler,
    ReverseCreditsHandler,
    GetBalanceHandler,
    GetStatementHandler,
  ],
  exports: [Ledger],
})
export class LedgerModule {}

/** The ledger with its calls and its history. */
@Module({
  imports: [LedgerModule],
  controllers: [CreditsController],
  providers: [ListTransactionsHandler, GetSpendingHandler],
})
export class CreditsModule {}
