import { apiContract } from '@earmark/contracts/api'
import { apiExamples, examplePackages } from '@earmark/contracts/examples'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { delay, http, HttpResponse } from 'msw'
import { expect, userEvent, waitFor } from 'storybook/test'
import { answer, breakOff, keepWaiting, refuse, refuseOnce } from '../mocks/mock-call.ts'
import { openCheckouts, stripeScriptHandler, stripeSession, unknownSecret } from '../mocks/pretend-stripe.ts'
import { Screen } from '../screen.tsx'

const { payments } = apiContract

const meta: Meta<typeof Screen> = {
  title: 'Screens/Buy Credits',
  component: Screen,
  args: { path: '/payment' },
  parameters: { isScreen: true },
  beforeEach: ({ msw }) =>
    msw.use(stripeScriptHandler, answer(payments.createCheckoutSession, stripeSession)),
}
export default meta

type Story = StoryObj<typeof Screen>
type Canvas = Parameters<NonNullable<Story['play']>>[0]['canvas']

const purchase = async (canvas: Canvas, name: string) =>
  userEvent.click(await canvas.findByRole('button', { name: `Purchase ${name}` }))

export const Packages: Story = {
  play: async ({ canvas }) => {
    await canvas.findByText('$18.00')
    await expect(canvas.getByText('10% discount')).toBeVisible()
    await expect(canvas.getByRole('heading', { name: 'How Credits Work' })).toBeVisible()
  },
}

export const PackagesInDark: Story = { ...Packages, args: { scheme: 'dark' }, globals: { scheme: 'dark' } }

/** There and back, and to another package: one checkout at a time, and none left behind. */
export const Checkout: Story = {
  beforeEach: ({ msw }) => {
    const asked: unknown[] = []
    msw.use(
      answer(payments.createCheckoutSession, ({ body }) => {
        asked.push(body)
        const { package_id } = body as { package_id: string }
        return { ...stripeSession, session_id: `cs_${package_id}`, client_secret: `cs_${package_id}_secret` }
      }),
    )
    return () => {
      if (asked.length === 0) throw new Error('No checkout was asked for')
      if (JSON.stringify(asked[0]) !== JSON.stringify({ package_id: 'starter', price: 5, credits: 5 }))
        throw new Error(`Asked for ${JSON.stringify(asked[0])}`)
    }
  },
  play: async ({ canvas, step }) => {
    await step('choose one, and go back before its form is there', async () => {
      await purchase(canvas, 'Starter')
      await canvas.findByRole('heading', { name: 'Complete Purchase' })
      await waitFor(() => expect(openCheckouts()).toBe(1), { timeout: 4000, interval: 10 })
      await userEvent.click(canvas.getByRole('button', { name: 'Back to Packages' }))
      await expect(canvas.queryByText(/Pretend checkout/)).toBeNull()
    })
    await step('choose another', async () => {
      await purchase(canvas, 'Regular')
      await canvas.findByText('Pretend checkout of cs_regular_secret', {}, { timeout: 4000 })
      await expect(openCheckouts()).toBe(1)
    })
    await step('go back', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Back to Packages' }))
      await canvas.findByText('$18.00')
      await waitFor(() => expect(openCheckouts()).toBe(0))
      await expect(canvas.getByRole('button', { name: 'Purchase Regular' })).toHaveFocus()
    })
    await step('and choose the first again', async () => {
      await purchase(canvas, 'Starter')
      await canvas.findByText('Pretend checkout of cs_starter_secret', {}, { timeout: 4000 })
      await expect(openCheckouts()).toBe(1)
    })
  },
}

export const CheckoutInDark: Story = {
  args: { scheme: 'dark' },
  globals: { scheme: 'dark' },
  play: async ({ canvas }) => {
    await purchase(canvas, 'Regular')
    await canvas.findByText(/Pretend checkout/, {}, { timeout: 4000 })
  },
}

/** A reload opens the checkout that the address names, and back leads to the packages. */
export const Reloaded: Story = {
  args: { path: '/payment', search: '?package=regular' },
  play: async ({ canvas }) => {
    await canvas.findByText(/Pretend checkout/, {}, { timeout: 4000 })
    await expect(canvas.getByText('Regular')).toBeVisible()
    await userEvent.click(canvas.getByRole('button', { name: 'Back to Packages' }))
    await canvas.findByRole('heading', { name: 'Buy Credits' })
  },
}

export const ReloadedButRefused: Story = {
  args: { path: '/payment', search: '?package=regular' },
  beforeEach: ({ msw }) => msw.use(breakOff(payments.createCheckoutSession)),
  play: async ({ canvas }) => {
    await canvas.findByText('Failed to initiate payment. Please try again.')
    await expect(canvas.getByRole('button', { name: 'Purchase Regular' })).toBeEnabled()
  },
}

export const UnknownPackage: Story = {
  args: { path: '/payment', search: '?package=gone' },
  play: async ({ canvas }) => {
    await canvas.findByRole('button', { name: 'Purchase Regular' })
  },
}

export const PurchasePending: Story = {
  beforeEach: ({ msw }) => msw.use(keepWaiting(payments.createCheckoutSession)),
  play: async ({ canvas }) => {
    await purchase(canvas, 'Regular')
    await expect(canvas.getByRole('button', { name: 'Purchase Regular' })).toBeDisabled()
    await expect(canvas.getByRole('button', { name: 'Purchase Starter' })).toBeDisabled()
  },
}

export const CheckoutNotLoaded: Story = {
  beforeEach: ({ msw }) =>
    msw.use(
      answer(payments.createCheckoutSession, {
        ...stripeSession,
        stripe_js_url: `${origin}/no-such-script.js`,
      }),
    ),
  play: async ({ canvas }) => {
    await purchase(canvas, 'Regular')
    await canvas.findByText('The checkout could not be loaded', {}, { timeout: 4000 })
    await userEvent.click(canvas.getByRole('button', { name: 'Try Again' }))
    await canvas.findByText('The checkout could not be loaded', {}, { timeout: 4000 })
  },
}

/** Stripe.js is there, but Stripe does not know the session. */
export const CheckoutRefused: Story = {
  beforeEach: ({ msw }) =>
    msw.use(answer(payments.createCheckoutSession, { ...stripeSession, client_secret: unknownSecret })),
  play: async ({ canvas }) => {
    await purchase(canvas, 'Regular')
    await canvas.findByText('The checkout could not be loaded', {}, { timeout: 4000 })
  },
}

export const PurchaseFailed: Story = {
  beforeEach: ({ msw }) => msw.use(breakOff(payments.createCheckoutSession)),
  play: async ({ canvas }) => {
    await purchase(canvas, 'Regular')
    await canvas.findByText('Failed to initiate payment. Please try again.')
  },
}

/** In the server's own words, and the packages are what they are now. */
export const PackageChanged: Story = {
  beforeEach: ({ msw }) => {
    let isChanged = false
    msw.use(
      answer(payments.packages, () => ({
        packages: examplePackages.map((offer) =>
          isChanged && offer.id === 'regular' ? { ...offer, price: 19 } : offer,
        ),
      })),
      refuseOnce(
        payments.createCheckoutSession,
        { code: 'package_changed', detail: 'This package now costs $19.00.' },
        () => {
          isChanged = true
        },
      ),
    )
  },
  play: async ({ canvas }) => {
    await purchase(canvas, 'Regular')
    await canvas.findByText('This package now costs $19.00.')
    await canvas.findByText('$19.00')
  },
}

export const Loading: Story = {
  beforeEach: ({ msw }) => msw.use(keepWaiting(payments.packages)),
  play: async ({ canvas }) => {
    await canvas.findByRole('status', { name: 'Loading the credit packages' })
  },
}

export const Empty: Story = {
  beforeEach: ({ msw }) => msw.use(answer(payments.packages, { packages: [] })),
  play: async ({ canvas }) => {
    await canvas.findByText('No credit packages available at this time.')
  },
}

export const Failed: Story = {
  beforeEach: ({ msw }) => msw.use(refuse(payments.packages, 'internal_error', 'Something broke')),
  play: async ({ canvas }) => {
    await canvas.findByText('Failed to load credit packages. Please try again.')
  },
}

export const Pricing: Story = {
  args: { path: '/pricing', isSignedIn: false },
  play: async ({ canvas }) => {
    await canvas.findByText('$18.00')
    await expect(canvas.getByRole('link', { name: 'Create Account' })).toHaveAttribute('href', '/signup')
    const main = canvas.getByRole('main')
    await expect(main.querySelector('a[href="/login"]')).toHaveTextContent('Sign In')
  },
}

export const PricingInDark: Story = {
  ...Pricing,
  args: { ...Pricing.args, scheme: 'dark' },
  globals: { scheme: 'dark' },
}

export const PricingSignedIn: Story = {
  args: { path: '/pricing' },
  play: async ({ canvas }) => {
    await expect(await canvas.findByRole('link', { name: 'Buy Credits' })).toHaveAttribute('href', '/payment')
    await expect(canvas.queryByRole('link', { name: 'Create Account' })).toBeNull()
  },
}

export const PricingFailed: Story = {
  args: { path: '/pricing', isSignedIn: false },
  beforeEach: ({ msw }) => msw.use(refuse(payments.packages, 'internal_error', 'Something broke')),
  play: async ({ canvas }) => {
    await canvas.findByText('Failed to load credit packages. Please try again.')
  },
}

export const PricingEmpty: Story = {
  args: { path: '/pricing', isSignedIn: false },
  beforeEach: ({ msw }) => msw.use(answer(payments.packages, { packages: [] })),
  play: async ({ canvas }) => {
    await canvas.findByText('No credit packages available at this time.')
  },
}

const returning = { path: '/payment/success', search: '?session_id=cs_test_example' }

/** Open at first; the completion fails, which nobody is told; the balance is the new one. */
export const Paid: Story = {
  args: returning,
  beforeEach: ({ msw }) => {
    let checks = 0
    let isCompleted = false
    msw.use(
      answer(payments.sessionStatus, () => {
        checks += 1
        return checks < 2
          ? { status: 'open' as const, customer_email: null, detail: null }
          : apiExamples.payments.sessionStatus
      }),
      refuseOnce(payments.completePayment, { code: 'payments_unavailable', detail: 'Not now' }, () => {
        isCompleted = true
      }),
      answer(apiContract.credits.balance, () => ({ balance: isCompleted ? 24.37 : 4.37 })),
    )
  },
  play: async ({ canvas }) => {
    await canvas.findByText('Processing Payment...')
    await canvas.findByRole('heading', { name: 'Payment Successful!' }, { timeout: 5000 })
    await canvas.findByText('24.37 credits')
    await expect(canvas.getByText('A receipt has been sent to ana@example.org')).toBeVisible()
    await canvas.findByRole('button', { name: 'Credit balance: 24.37, good' })
  },
}

export const PaidInDark: Story = {
  args: { ...returning, scheme: 'dark' },
  globals: { scheme: 'dark' },
  play: async ({ canvas }) => {
    await canvas.findByRole('heading', { name: 'Payment Successful!' })
  },
}

/** The old balance is not shown as the new one. */
export const PaidButBalanceLost: Story = {
  args: returning,
  beforeEach: ({ msw }) => {
    let isCompleted = false
    msw.use(
      answer(payments.completePayment, () => {
        isCompleted = true
        return apiExamples.payments.completePayment
      }),
      answer(apiContract.credits.balance, () => {
        // A mock that throws answers 500.
        if (isCompleted) throw new Error('Something broke')
        return { balance: 4.37 }
      }),
    )
  },
  play: async ({ canvas }) => {
    await canvas.findByText('Your credit history shows it.')
    await expect(canvas.queryByText('4.37 credits')).toBeNull()
  },
}

/** Whoever leaves before the completion step has answered still sees the new balance. */
export const LeftBeforeTheCompletion: Story = {
  args: returning,
  beforeEach: ({ msw }) => {
    let isCompleted = false
    msw.use(
      http.post('*/v1/payments/complete-payment', async () => {
        await delay(1000)
        isCompleted = true
        return HttpResponse.json(apiExamples.payments.completePayment)
      }),
      answer(apiContract.credits.balance, () => ({ balance: isCompleted ? 24.37 : 4.37 })),
    )
  },
  play: async ({ canvas }) => {
    await canvas.findByRole('heading', { name: 'Payment Successful!' })
    await userEvent.click(canvas.getByRole('link', { name: 'Start Transcribing' }))
    await canvas.findByRole('heading', { name: 'Find a podcast' })
    await canvas.findByRole('button', { name: 'Credit balance: 24.37, good' })
  },
}

/** One lost answer is not the end. */
export const PaidAfterALostAnswer: Story = {
  args: returning,
  beforeEach: ({ msw }) =>
    msw.use(refuseOnce(payments.sessionStatus, { code: 'temporarily_unavailable', detail: 'Not now' })),
  play: async ({ canvas }) => {
    await canvas.findByText('Processing Payment...')
    await canvas.findByRole('heading', { name: 'Payment Successful!' }, { timeout: 6000 })
  },
}

const staysOpen = answer(payments.sessionStatus, { status: 'open', customer_email: null, detail: null })

export const Processing: Story = {
  args: returning,
  beforeEach: ({ msw }) => msw.use(staysOpen),
  play: async ({ canvas }) => {
    await canvas.findByText('Processing Payment...')
  },
}

/** Left unpaid: after 30 s, which are shortened here, there is a way on. */
export const LongOpen: Story = {
  args: returning,
  beforeEach: ({ msw }) => {
    const setTimeout = window.setTimeout.bind(window)
    const shortened = (run: () => void, ms?: number) => setTimeout(run, ms === 30_000 ? 300 : ms)
    window.setTimeout = shortened as typeof setTimeout
    msw.use(staysOpen)
    return () => {
      window.setTimeout = setTimeout
    }
  },
  play: async ({ canvas }) => {
    await canvas.findByText('Processing Payment...')
    await userEvent.click(await canvas.findByRole('link', { name: 'Try Again' }))
    await canvas.findByRole('heading', { name: 'Buy Credits' })
  },
}

export const Settling: Story = {
  args: returning,
  beforeEach: ({ msw }) =>
    msw.use(
      answer(payments.sessionStatus, { status: 'open', customer_email: null, detail: 'It is on its way.' }),
    ),
  play: async ({ canvas }) => {
    await canvas.findByText(/It is on its way\./)
  },
}

export const InReview: Story = {
  args: returning,
  beforeEach: ({ msw }) =>
    msw.use(
      answer(payments.sessionStatus, { status: 'review', customer_email: null, detail: 'We look at it.' }),
    ),
  play: async ({ canvas }) => {
    await canvas.findByText('Payment was not completed')
    await expect(canvas.getByText('We look at it.')).toBeVisible()
  },
}

export const NotCompleted: Story = {
  args: returning,
  beforeEach: ({ msw }) =>
    msw.use(answer(payments.sessionStatus, { status: 'expired', customer_email: null, detail: null })),
  play: async ({ canvas }) => {
    await canvas.findByRole('heading', { name: 'Payment Error' })
    await expect(canvas.getByText('Payment was not completed')).toBeVisible()
    await userEvent.click(canvas.getByRole('link', { name: 'Try Again' }))
    await canvas.findByRole('heading', { name: 'Buy Credits' })
  },
}

export const WithoutSession: Story = {
  args: { path: '/payment/success' },
  play: async ({ canvas }) => {
    await canvas.findByText('No payment session found')
    await expect(canvas.getByRole('link', { name: 'Go to Home' })).toHaveAttribute('href', '/search')
  },
}

export const NotVerified: Story = {
  args: returning,
  beforeEach: ({ msw }) => msw.use(refuse(payments.sessionStatus, 'not_found', 'There is no such checkout')),
  play: async ({ canvas }) => {
    await canvas.findByText('Failed to verify payment status')
    await expect(canvas.getByText(/no such checkout on your account/)).toBeVisible()
  },
}

export const NotVerifiedAfterSeveralTries: Story = {
  args: returning,
  beforeEach: ({ msw }) => msw.use(breakOff(payments.sessionStatus)),
  play: async ({ canvas }) => {
    await canvas.findByText('Processing Payment...')
    await canvas.findByText('Failed to verify payment status', {}, { timeout: 9000 })
  },
}
