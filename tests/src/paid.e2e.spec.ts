/** From a stranger's first visit to paid summaries, in a real browser: every credit is bought, and every one is told. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signIn, type Account } from './account.ts'
import { openBrowser, textOf, type Visitor } from './browser.ts'
import { checkoutsOf, mailsTo, payByCard, payCheckout } from './card-company.ts'
import { eventsOf, expectLedgerHolds } from './ledger.ts'
import { startStack, type Stack } from './stack.ts'

const email = `${randomUUID()}@example.org`
const show = 'The Harbour Log'
const title = 'Why lighthouses kept two logs'
const summaries = [
  ['Smart Summary', ['Key Highlights', 'Key Takeaways']],
  ['Action Plan', ['Next Steps', 'Overall Takeaway']],
  ['Thought-Provoking', ['Deep Questions', 'Quick Reflection Prompts', 'Why These Questions Matter']],
] as const

let stack: Stack
let visitor: Visitor
let account: Account

beforeAll(async () => {
  stack = await startStack((sandboxOrigin) => ({
    // Exact and quick: a real Whisper listens in the other journey.
    TRANSCRIPTION_BASE_URL: `${sandboxOrigin}/openai/v1`,
    TRANSCRIPTION_API_KEY: 'any',
    VENDOR_ATTEMPTS: '2',
    VENDOR_RETRY_SECONDS: '0.2',
  }))
  visitor = await openBrowser(stack.origin)
})

afterAll(async () => {
  await visitor.close()
  await stack.stop()
})

const transactions = () => visitor.page.getByRole('region', { name: 'Transactions' })

describe('buying credits', () => {
  it('begins with the prices, which anybody can read', async () => {
    const { page } = visitor
    await page.goto('/')
    await page.getByRole('link', { name: 'Pricing' }).first().click()
    await visitor.heading('Pricing').waitFor()
    await page.getByText('$5.00').waitFor()
    await page.getByText('AI summaries cost 0.05 credits each, flat').waitFor()
    await visitor.expectGoodScreen('pricing')
    await page.getByRole('link', { name: 'Create Account' }).click()
    await visitor.signUp(email)
    await visitor.signIn(email)
    account = await signIn(stack, email)
  })

  it('shows an empty history at first', async () => {
    await visitor.page.goto('/credits')
    await visitor.page.getByText('No transactions yet').waitFor()
    await visitor.expectGoodScreen('credits, empty')
    await visitor.page.getByRole('link', { name: 'Buy More Credits' }).click()
    await visitor.heading('Buy Credits').waitFor()
    await visitor.expectGoodScreen('payment')
  })

  it('charges and credits nothing for a checkout that is left, or reloaded in the middle', async () => {
    const { page } = visitor
    const form = page.frameLocator('iframe')
    await visitor
      .button(/Purchase/)
      .first()
      .click()
    await visitor.heading('Complete Purchase').waitFor()
    await form.getByLabel('Card number').fill('4242 4242')
    await page.reload()
    await visitor.heading('Complete Purchase').waitFor()
    await form.getByLabel('Card number').waitFor()
    await page.getByText('Back to Packages').click()
    await visitor.heading('Buy Credits').waitFor()
    expect(await account.balance()).toBe(0)
    expect(await eventsOf(stack, account.id)).toEqual([])
    expect((await checkoutsOf(stack, account.id)).map(({ status }) => status)).toEqual(['open'])
  })

  it('says that a card is declined, and takes another', async () => {
    const { page } = visitor
    await visitor
      .button(/Purchase/)
      .first()
      .click()
    await payByCard(page, '4000000000000002')
    await page.frameLocator('iframe').getByText('Your card was declined.').waitFor()
    await visitor.expectGoodScreen('checkout, declined')
    expect(await eventsOf(stack, account.id)).toEqual([])
    await payByCard(page, '4242424242424242')
    await page.getByText('Payment Successful!').waitFor()
  })

  it('shows the new balance and where the receipt went', async () => {
    const { page } = visitor
    await page.getByText('Your credits have been added to your account.').waitFor()
    await page.getByText(`A receipt has been sent to ${email}`).waitFor()
    await page.getByText('5.00 credits').waitFor()
    await visitor.expectGoodScreen('payment success')
    await expect
      .poll(() => mailsTo(stack, email), { timeout: 10_000 })
      .toEqual(['Your Earmark receipt: 5 credits'])
    // The same page again, and the call of its own again: still one credit.
    await page.reload()
    await page.getByText('Payment Successful!').waitFor()
    expect(await account.balance()).toBe(5)
    expect((await eventsOf(stack, account.id)).map(({ type }) => type)).toEqual(['CreditsGranted'])
    await page.getByRole('link', { name: 'Start Transcribing' }).click()
    await visitor.heading('Find a podcast').waitFor()
  })

  it('says what is wrong with an address that names no checkout, or somebody else’s', async () => {
    const { page } = visitor
    await page.goto('/payment/success')
    await page.getByText('No payment session found').waitFor()
    await visitor.expectGoodScreen('payment error')
    await page.goto('/payment/success?session_id=cs_test_of_somebody_else')
    await page.getByText('Failed to verify payment status').waitFor({ timeout: 30_000 })
    visitor.troubles.length = 0
  })
})

describe('generating summaries', () => {
  it('needs a transcript first', async () => {
    const { page } = visitor
    await visitor.openEpisode(show, title)
    await visitor.button('Begin Transcription').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Begin Transcription' }).click()
    await page.getByText('Transcript Complete').waitFor({ timeout: 60_000 })
    await page.getByRole('heading', { name: 'AI Outputs' }).waitFor()
    await visitor.expectGoodScreen('transcript with AI outputs')
  })

  it('gives back what a failed one cost, and offers to try again', async () => {
    const { page } = visitor
    await stack.setFaults({ language: { kind: 'failing', status: 500 } })
    await generate('Smart Summary')
    await page.getByText(/^Failed: .*Your credits are back\.$/).waitFor({ timeout: 30_000 })
    await visitor.expectGoodScreen('summary failed')
    expect(await account.balance()).toBe(4.97)
    await stack.setFaults({})
  })

  it.each(summaries)('makes a %s with quotes that were really said', async (name, headings) => {
    const { page } = visitor
    const verb = name === 'Smart Summary' ? 'Retry' : 'Generate'
    if (name === 'Action Plan') {
      await stack.setFaults({ language: { kind: 'slow', delayMs: 4000 } })
      await generate(name, verb)
      await page.getByText('Generating...').waitFor()
      await visitor.expectGoodScreen('summary generating')
      await stack.setFaults({})
    } else await generate(name, verb)
    const summary = page.getByRole('article', { name })
    await summary.waitFor({ timeout: 30_000 })
    await summary.getByRole('button', { name: `Expand ${name}` }).click()
    for (const heading of headings) await summary.getByText(heading).waitFor()

    const words = inOneLine((await account.onlyTranscript()).text ?? '')
    const quotes = await summary.locator('mark').allInnerTexts()
    if (name !== 'Thought-Provoking') expect(quotes.length).toBeGreaterThan(0)
    for (const quote of quotes) expect(words).toContain(inOneLine(quote))
    await visitor.expectGoodScreen(`summary ${name}`)
  })

  it('keeps them all, and plays a quote from where it was said', async () => {
    const { page } = visitor
    await page.reload()
    await expect.poll(() => page.getByText('✓ Complete').count()).toBe(3)
    await visitor.button('Expand Smart Summary').click()
    await page
      .getByRole('article', { name: 'Smart Summary' })
      .getByRole('button', { name: /Play from/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await page.keyboard.press('k')
    visitor.troubles.length = 0
  })
})

describe('the credit history', () => {
  it('tells every credit that came and went, each with its balance after', async () => {
    const { page } = visitor
    await page.goto('/credits')
    const rows = transactions().getByRole('listitem')
    await expect.poll(() => rows.count()).toBe(7)
    const lines = await Promise.all((await rows.all()).map(textOf))
    const expected = [
      [/Thought-Provoking/, '-0.05', 'Balance: 4.82'],
      [/Action Plan/, '-0.05', 'Balance: 4.87'],
      [/Smart Summary/, '-0.05', 'Balance: 4.92'],
      [/Refund/, '+0.05', 'Balance: 4.97'],
      [/Smart Summary/, '-0.05', 'Balance: 4.92'],
      [/Transcription/, '-0.03', 'Balance: 4.97'],
      [/Purchase/, '+5.00', 'Balance: 5.00'],
    ] as const
    for (const [index, [name, amount, balance]] of expected.entries()) {
      expect(lines[index]).toMatch(name)
      expect(lines[index]).toContain(amount)
      expect(lines[index]).toContain(balance)
    }
    await page.getByText('0.18 credits').waitFor()
    await visitor.expectGoodScreen('credits')
    await expectLedgerHolds(stack, account)
  })

  it('loads more when there is more, each line once', async () => {
    const { page } = visitor
    for (let count = 0; count < 15; count += 1) {
      const { session_id: id } = await account.openCheckout('starter')
      await payCheckout(stack, id)
      expect(await account.completePayment(id)).toMatchObject({ body: { status: 'complete' } })
    }
    await page.goto('/credits')
    const rows = transactions().getByRole('listitem')
    await expect.poll(() => rows.count()).toBe(20)
    await visitor.button('Load More').click()
    await expect.poll(() => rows.count()).toBe(22)
    expect(await visitor.button('Load More').count()).toBe(0)
    await expectLedgerHolds(stack, account)
    expect(visitor.troubles).toEqual([])
  })
})

async function generate(name: string, verb = 'Generate') {
  const { page } = visitor
  await visitor.button(`${verb} ${name}`).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm summary' })
  await dialog.getByText('0.05 credits', { exact: true }).waitFor()
  if (name === 'Smart Summary' && verb === 'Generate') await visitor.expectGoodScreen('cost of a summary')
  await dialog.getByRole('button', { name: 'Generate' }).click()
}

const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
