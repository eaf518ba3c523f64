import { Inject } from '@nestjs/common'
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs'
import type { CreditPackage } from '@earmark/contracts/payments'
import { microcredits, toCredits } from '../../credits/domain/amounts.ts'
import { CONFIG, type Config } from '../../platform/config/config.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'

export class ListPackages extends Query<CreditPackage[]> {}

@QueryHandler(ListPackages)
export class ListPackagesHandler implements IQueryHandler<ListPackages> {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  async execute(): Promise<CreditPackage[]> {
    // What cannot be bought is not on offer.
    if (!this.config.stripe) return []
    const rows = await this.database
      .selectFrom('credit_packages')
      .selectAll()
      .where('is_offered', '=', true)
      .orderBy('position')
      .execute()
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      description: row.description,
      credits: toCredits(microcredits(row.credits_microcredits)),
      price: row.price_cents / 100,
      discount_percent: row.discount_percent,
    }))
  }
}
