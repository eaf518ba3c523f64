import * as z from 'zod'
import { accountRoute, publicRoute } from './route.ts'

export const creditPackageSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  credits: z.number().positive(),
  price: z.number().positive().describe('US dollars'),
  discount_percent: z.number().min(0).max(100),
})
export type CreditPackage = z.infer<typeof creditPackageSchema>

export const checkoutSessionSchema = z.object({
  publishable_key: z.string(),
  client_secret: z.string().describe('Opens the embedded checkout; whoever has it can pay this session'),
  session_id: z.string(),
  stripe_js_url: z.url().nullable().describe("Where Stripe.js comes from; null: from Stripe's own host"),
})
export type CheckoutSession = z.infer<typeof checkoutSessionSchema>

/**
 * `complete`: paid, and the credits are on the account. `open`: not paid, or not certain yet. `review`: what was paid
 * is not what the checkout asked for, and an operator looks at it.
 */
export const paymentStatusSchema = z.enum(['open', 'complete', 'expired', 'failed', 'review'])
export type PaymentStatus = z.infer<typeof paymentStatusSchema>

export const sessionStatusSchema = z.object({
  status: paymentStatusSchema,
  customer_email: z.string().nullable().describe('Where a receipt goes, once it is paid'),
  detail: z.string().nullable().describe('What there is to know beyond the status, in words for the payer'),
})
export type SessionStatus = z.infer<typeof sessionStatusSchema>

const session = z.object({ session_id: z.string().regex(/^cs_\w{1,250}$/, 'This is no id of a checkout') })

export const paymentsContract = {
  packages: publicRoute
    .route({
      method: 'GET',
      path: '/payments/packages',
      tags: ['Payments'],
      summary: 'The credit packages on offer',
    })
    .output(z.object({ packages: z.array(creditPackageSchema) })),

  createCheckoutSession: accountRoute
    .route({
      method: 'POST',
      path: '/payments/create-checkout-session',
      tags: ['Payments'],
      summary: 'Open an embedded checkout for a package',
      description:
        'Answers the open checkout of this package where there is one. Price, credits and owner come from our own record. ' +
        'With the price that was shown, a package that has changed ' +
        'meanwhile is refused (409 package_changed) rather than sold at another price.',
    })
    .input(
      z.object({
        package_id: z.string().min(1).max(100),
        price: z.number().positive().max(1_000_000).optional().describe('The price that was shown'),
        credits: z.number().positive().max(1_000_000).optional().describe('The credits that were shown'),
      }),
    )
    .output(checkoutSessionSchema),

  sessionStatus: accountRoute
    .route({
      method: 'GET',
      path: '/payments/session-status',
      tags: ['Payments'],
      summary: 'How a checkout stands',
    })
    .input(session)
    .output(sessionStatusSchema),

  completePayment: accountRoute
    .route({
      method: 'POST',
      path: '/payments/complete-payment',
      // The spec names it in the query of a POST.
      inputStructure: 'detailed',
      tags: ['Payments'],
      summary: 'Confirm a checkout now',
      description:
        'Asks the card provider and adds the credits if it is paid. Any number of times: one credit.',
    })
    .input(z.object({ query: session }))
    .output(sessionStatusSchema),
}
