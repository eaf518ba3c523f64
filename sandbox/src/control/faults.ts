import { z } from 'zod'
import { vendorNames, type VendorName } from '../vendor-name.ts'

const greatestDelayMs = 600_000
/** How many requests it lasts for; without it, until it is taken away. */
const count = z.int().positive().optional()

/** What can be wrong with a vendor. */
const faultSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('slow'), delayMs: z.int().min(1).max(greatestDelayMs), count }),
  z.strictObject({
    kind: z.literal('failing'),
    status: z.int().min(400).max(599),
    body: z.string().max(10_000).optional(),
    count,
  }),
  z.strictObject({ kind: z.literal('rateLimited'), retryAfterSeconds: z.int().min(0).max(86_400), count }),
  z.strictObject({ kind: z.literal('hanging'), count }),
  z.strictObject({ kind: z.literal('down'), count }),
  z.strictObject({ kind: z.literal('dripping'), bytesPerSecond: z.int().min(1).max(100_000_000), count }),
  /** The language model alone: JSON that does not meet the schema. */
  z.strictObject({ kind: z.literal('invalidAnswer'), count }),
  /** The language model alone: an answer as asked, with a quote that nobody said. */
  z.strictObject({ kind: z.literal('inventedQuotes'), count }),
])

export const faultsSchema = z
  .partialRecord(z.enum(vendorNames), faultSchema)
  .superRefine((faults, context) => {
    for (const [vendor, fault] of Object.entries(faults)) {
      const isOfModel = fault.kind === 'invalidAnswer' || fault.kind === 'inventedQuotes'
      if (isOfModel && vendor !== 'language') {
        context.addIssue({
          code: 'custom',
          path: [vendor],
          message: `Only the language model knows ${fault.kind}`,
        })
      }
    }
  })

export type Fault = z.infer<typeof faultSchema>
export type FaultsByVendor = z.infer<typeof faultsSchema>

/** The faults in force, at most one for a vendor. */
export class Faults {
  #byVendor = new Map<VendorName, Fault>()

  get all(): FaultsByVendor {
    return Object.fromEntries(this.#byVendor)
  }

  /** Puts these in force and no others. */
  replaceAll(faults: FaultsByVendor): void {
    this.#byVendor.clear()
    for (const name of vendorNames) {
      const fault = faults[name]
      if (fault) this.#byVendor.set(name, fault)
    }
  }

  set(vendor: VendorName, fault: Fault): void {
    this.#byVendor.set(vendor, fault)
  }

  clear(vendor: VendorName): void {
    this.#byVendor.delete(vendor)
  }

  /** The fault that the vendor's next request meets; one with a count wears off. */
  take(vendor: VendorName): Fault | undefined {
    const fault = this.#byVendor.get(vendor)
    if (fault?.count === undefined) return fault
    if (fault.count > 1) this.#byVendor.set(vendor, { ...fault, count: fault.count - 1 })
    else this.#byVendor.delete(vendor)
    return fault
  }
}
