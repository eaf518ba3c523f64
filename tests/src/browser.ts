/** A real Chromium that notices what a user must never meet. */
import AxeBuilder from '@axe-core/playwright'
import { findChromium } from '@earmark/launcher/chromium'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { chromium, type BrowserContext, type Locator, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { password } from './account.ts'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const widths = { wide: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } }

/** Where pictures of every screen are kept; none are taken where it is not set. */
const picturesFolder = process.env.E2E_PICTURES

export type Visitor = Awaited<ReturnType<typeof openBrowser>>

export async function openBrowser(origin: string) {
  const browser = await chromium.launch({ executablePath: findChromium(console.log), args: flags })
  const context = await browser.newContext({
    baseURL: origin,
    viewport: widths.wide,
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(10_000)
  const troubles: string[] = []
  await watch(context, origin, troubles)
  const page = await context.newPage()
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 })
  return {
    page,
    /** What went wrong so far that a developer would see in the console. */
    troubles,
    button,
    heading,
    close: () => browser.close(),

    /** From the sign-up form, wherever it was opened, to the sign-in form. */
    async signUp(email: string) {
      await heading('Create an account').waitFor()
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByLabel('Confirm password', { exact: true }).fill(password)
      await page.getByText('Verified').waitFor()
      await button('Create Account').click()
      await page.getByText('Account created successfully! You can now sign in.').waitFor()
      await heading('Sign In').waitFor()
    },

    async signIn(email: string) {
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await button('Sign In').and(page.locator(':enabled')).click()
      await heading('Find a podcast').waitFor()
    },

    async openEpisode(podcast: string, episode: string) {
      await page.goto('/search')
      await page.getByRole('searchbox', { name: 'Search podcasts' }).fill(podcast)
      await page.getByRole('searchbox', { name: 'Search podcasts' }).press('Enter')
      await page.getByRole('link', { name: podcast }).click()
      await page.getByRole('link', { name: `Transcribe ${episode}` }).click()
    },

    /** Nothing on this screen keeps anybody out, and nothing went wrong on the way to it. */
    async expectGoodScreen(name: string) {
      expect(await violationsOf(page, name)).toEqual([])
      expect(troubles).toEqual([])
    },

    /** Presses Tab until it has the focus, as somebody without a mouse does. */
    async tabTo(target: Locator) {
      for (let presses = 0; presses < 30; presses += 1) {
        if (await target.evaluate((element) => element === document.activeElement)) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`Tab does not reach ${String(target)}`)
    },
  }
}

/** What a person reads there, in one line. */
export const textOf = async (locator: Locator) => (await locator.innerText()).replaceAll(/\s+/g, ' ')

async function watch(context: BrowserContext, origin: string, troubles: string[]): Promise<void> {
  context.on('console', (message) => {
    // The browser says each answer from 400 on as an error; a test that provokes one sees it on the screen.
    const isAnswer = message
      .text()
      .startsWith('Failed to load resource: the server responded with a status of 4')
    if (message.type() === 'error' && !isAnswer) troubles.push(`console: ${message.text()}`)
  })
  context.on('weberror', (error) => troubles.push(`exception: ${error.error().message}`))
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    const isLocal =
      protocol === 'data:' || protocol === 'blob:' || ['127.0.0.1', 'localhost'].includes(hostname)
    if (!isLocal) troubles.push(`request away from this machine: ${request.url()}`)
    const told = `${request.url()} ${request.postData() ?? ''}`.replaceAll(/[\s+]|%20/g, '')
    if (request.url().startsWith(origin) && /4(242){5}|4000000000000002/.test(told))
      troubles.push(`a card number reaches our server: ${request.url()}`)
  })
  await context.exposeBinding('tellCspViolation', (_, what: string) => void troubles.push(`CSP: ${what}`))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      const { tellCspViolation } = globalThis as unknown as { tellCspViolation: (what: string) => void }
      tellCspViolation(`${violatedDirective} ${blockedURI}`)
    })
  })
}

/** Each width and each scheme once: what one has wrong in both it shows in either. Pictures are taken of all four. */
const looks = [
  ['wide', 'light'],
  ['phone', 'dark'],
  ...(picturesFolder === undefined
    ? []
    : ([
        ['wide', 'dark'],
        ['phone', 'light'],
      ] as const)),
] as const

/** The accessibility violations of what the page shows, wide and as on a phone, light and dark, as sentences. */
async function violationsOf(page: Page, screen: string): Promise<string[]> {
  const violations: string[] = []
  for (const [width, scheme] of looks) {
    await page.setViewportSize(widths[width])
    await page.emulateMedia({ colorScheme: scheme })
    await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor()
    const where = `${screen}, ${width}, ${scheme}`
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    if (overflow > 0) violations.push(`${where}: wider than the window by ${overflow} px`)
    const { violations: found } = await new AxeBuilder({ page }).analyze()
    for (const { id, nodes } of found)
      for (const { html, failureSummary = '' } of nodes)
        violations.push(`${where}: ${id}: ${html.slice(0, 200)} ${failureSummary}`)
    if (picturesFolder !== undefined) {
      await mkdir(picturesFolder, { recursive: true })
      const file = `${screen.replaceAll(/\W+/g, '-')}-${widths[width].width}-${scheme}.png`
      await page.screenshot({ path: path.join(picturesFolder, file) })
    }
  }
  await page.setViewportSize(widths.wide)
  await page.emulateMedia({ colorScheme: 'light' })
  return violations
}
