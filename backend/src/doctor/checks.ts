import OpenAI, { APIConnectionError, APIError } from 'openai'
import { createTransport } from 'nodemailer'
import Stripe from 'stripe'
import * as z from 'zod'
import { turnstileVerify } from '../identity/challenge/bot-challenge.ts'
import { StripeClient } from '../payments/stripe-client.ts'
import type { Config } from '../platform/config/config.ts'
import { createLogger } from '../platform/logging/logger.ts'
import { VendorFailed } from '../platform/outgoing/vendor-failed.ts'
import { createPool } from '../platform/postgres/postgres.module.ts'
import { TemporalConnection } from '../platform/temporal/temporal-connection.ts'
import { itunes } from '../podcasts/directories/itunes.ts'
import { podcastIndex } from '../podcasts/directories/podcast-index.ts'
import { LanguageModel } from '../summaries/summarise/language-model.ts'

/** What was found out about one vendor, in words for whoever runs the product. */
export type Finding = { verdict: 'ok' | 'warning' | 'wrong' | 'unset'; words: string }

const timeoutMs = 15_000

const ok = (words: string): Finding => ({ verdict: 'ok', words })
const warning = (words: string): Finding => ({ verdict: 'warning', words })
const wrong = (words: string): Finding => ({ verdict: 'wrong', words })
const unset = (words: string): Finding => ({ verdict: 'unset', words })

/** Every check by the name that `npm run doctor` gives it. None changes anything, and none throws for a vendor's refusal. */
export const checks = {
  database: checkDatabase,
  workflows: checkWorkflows,
  'speech to text': checkTranscription,
  summaries: checkSummaries,
  cards: checkCards,
  mail: checkMail,
  'podcast index': checkPodcastIndex,
  itunes: checkItunes,
  'bot challenge': checkTurnstile,
} satisfies Record<string, (config: Config) => Promise<Finding>>

async function checkDatabase(config: Config): Promise<Finding> {
  const pool = createPool(config, createLogger('silent', 'doctor'))
  try {
    const { rows } = await pool.query<{ version: string; writable: boolean }>(
      "select current_setting('server_version') as version, has_schema_privilege('public', 'create') as writable",
    )
    const { version = '', writable = false } = rows[0] ?? {}
    if (!writable) return wrong('The user of DATABASE_URL may not create tables in the schema "public".')
    return ok(`PostgreSQL ${version}`)
  } catch (error) {
    return wrong(`DATABASE_URL cannot be used: ${messageOf(error)}`)
  } finally {
    await pool.end()
  }
}

async function checkWorkflows(config: Config): Promise<Finding> {
  const { address, namespace } = config.temporal
  const temporal = new TemporalConnection(config)
  try {
    await temporal.checkReachable()
    const missing = await temporal.missingSearchAttributes()
    if (missing.length > 0) {
      return wrong(
        `The namespace ${namespace} lacks search attributes. Make each: ` +
          missing
            .map((name) => `temporal operator search-attribute create --name ${name} --type Keyword`)
            .join('; '),
      )
    }
    return ok(`Temporal at ${address}, namespace ${namespace}`)
  } catch (error) {
    return wrong(
      `Temporal cannot be reached at ${address}, or has no namespace ${namespace}: ${messageOf(error)}`,
    )
  } finally {
    await temporal.onApplicationShutdown()
  }
}

async function checkTranscription({ transcription }: Config): Promise<Finding> {
  const found = await modelsOf(transcription)
  if ('failure' in found) return wrong(`${found.failure} (TRANSCRIPTION_BASE_URL, TRANSCRIPTION_API_KEY)`)
  return aboutModel(found.models, transcription, 'TRANSCRIPTION_MODEL')
}

/** One short question, for a server may list a model that cannot answer by a schema. It costs a fraction of a cent. */
async function checkSummaries(config: Config): Promise<Finding> {
  const { summaries } = config
  if (!summaries) return unset('No language model is set up: summaries are not offered.')
  const found = await modelsOf(summaries)
  if ('failure' in found) return wrong(`${found.failure} (SUMMARY_BASE_URL, SUMMARY_API_KEY)`)
  const aboutIt = aboutModel(found.models, summaries, 'SUMMARY_MODEL')
  if (aboutIt.verdict === 'wrong') return aboutIt
  try {
    const answer = await new LanguageModel(config).ask(
      {
        name: 'transcript_notes',
        schema: z.object({ points: z.array(z.object({ point: z.string(), quote: z.string().nullable() })) }),
        system: 'Note the points that are made in this transcript, each with its quote.',
        user: '<transcript>\nEvery keeper wrote the night down twice. One book was for the harbour.\n</transcript>',
      },
      null,
      AbortSignal.timeout(summaries.timeoutSeconds * 1000),
    )
    if (!answer.usable)
      return wrong(`The model ${summaries.model} does not answer by a JSON schema: ${answer.complaint}`)
  } catch (error) {
    const why = error instanceof VendorFailed && error.cause ? messageOf(error.cause) : ''
    return wrong(`The model ${summaries.model} cannot be asked. ${messageOf(error)} ${why}`.trim())
  }
  return ok(`${summaries.model} at ${summaries.baseUrl} answers by a schema`)
}

async function checkCards(config: Config): Promise<Finding> {
  if (!config.stripe) return unset('Stripe’s keys are not set: nothing can be bought.')
  const { api } = new StripeClient(config)
  const hook = `${config.http.publicUrl}/v1/payments/webhook`
  try {
    const { livemode } = await api.balance.retrieve()
    if (livemode && !config.http.publicUrl.startsWith('https:'))
      return wrong('Live cards need an app that is served by https: set PUBLIC_URL to its address.')
    const keyFailure = await publishableKeyFailure(config)
    if (keyFailure !== undefined) return wrong(keyFailure)
    const mode = livemode ? 'live: real money moves' : 'test mode: no money moves'
    const hookFailure = await webhookFailure(api, hook)
    return hookFailure === undefined ? ok(`Stripe, ${mode}`) : warning(`Stripe, ${mode}. ${hookFailure}`)
  } catch (error) {
    if (error instanceof Stripe.errors.StripeAuthenticationError)
      return wrong(
        'Stripe does not accept STRIPE_SECRET_KEY. Copy it anew from https://dashboard.stripe.com/apikeys.',
      )
    if (error instanceof Stripe.errors.StripePermissionError)
      return wrong(`STRIPE_SECRET_KEY is a restricted key that may not do what is needed: ${error.message}`)
    return wrong(`Stripe cannot be reached at ${config.stripe.apiUrl}: ${messageOf(error)}`)
  }
}

/** A key that Stripe knows is told what the request lacks; one that it does not know is refused before. */
async function publishableKeyFailure({ stripe, ...config }: Config): Promise<string | undefined> {
  if (!stripe) return undefined
  const { api } = new StripeClient({ ...config, stripe: { ...stripe, secretKey: stripe.publishableKey } })
  try {
    await api.tokens.create({})
  } catch (error) {
    if (error instanceof Stripe.errors.StripeAuthenticationError)
      return 'Stripe does not accept STRIPE_PUBLISHABLE_KEY. Copy it anew from https://dashboard.stripe.com/apikeys.'
  }
  return undefined
}

const neededEvents = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
]

async function webhookFailure(api: Stripe, url: string): Promise<string | undefined> {
  const without = 'Without it payments are credited by the return page, or within ten minutes.'
  try {
    const { data } = await api.webhookEndpoints.list({ limit: 100 })
    const endpoint = data.find((each) => each.url === url)
    if (await hasUndelivered(api)) {
      return (
        `Its messages of the last hour do not arrive at ${url}, or are refused there: look at STRIPE_WEBHOOK_SECRET, and at ` +
        `the backend’s log. ${without}`
      )
    }
    if (!endpoint) {
      return (
        `Stripe has no webhook endpoint ${url}: add it in the dashboard, or run ` +
        `stripe listen --forward-to ${url}, and set STRIPE_WEBHOOK_SECRET to its secret. ${without}`
      )
    }
    if (endpoint.status !== 'enabled') return `The webhook endpoint ${url} is disabled. ${without}`
    const events: string[] = endpoint.enabled_events
    const missing = events.includes('*') ? [] : neededEvents.filter((event) => !events.includes(event))
    if (missing.length > 0) return `The webhook endpoint ${url} lacks ${missing.join(', ')}. ${without}`
    return undefined
  } catch (error) {
    return `Its webhook endpoints cannot be listed: ${messageOf(error)}`
  }
}

/** Older than a minute and still not taken by whoever should. */
async function hasUndelivered(api: Stripe): Promise<boolean> {
  const now = Math.floor(Date.now() / 1000)
  const created = { gte: now - 3600, lte: now - 60 }
  const { data } = await api.events.list({ types: neededEvents, created, limit: 20 })
  return data.some(({ pending_webhooks: pending }) => pending > 0)
}

async function checkMail({ mail }: Config): Promise<Finding> {
  if (mail.smtpUrl === undefined) return unset('SMTP_URL is not set: Stripe mails the receipts.')
  const transport = createTransport({
    url: mail.smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  })
  const { host } = new URL(mail.smtpUrl)
  try {
    await transport.verify()
    if (mail.from.includes('@localhost'))
      return warning(
        `${host} takes mail, but MAIL_FROM is still ${mail.from}: many servers will refuse that.`,
      )
    return ok(`${host} takes mail from ${mail.from}`)
  } catch (error) {
    const isLogin = error instanceof Error && 'code' in error && error.code === 'EAUTH'
    return wrong(
      isLogin
        ? `${host} does not accept the user and password of SMTP_URL.`
        : `SMTP_URL cannot be used: ${messageOf(error)}`,
    )
  } finally {
    transport.close()
  }
}

async function checkPodcastIndex({ directories }: Config): Promise<Finding> {
  if (!directories.names.includes('podcastindex')) return unset('PODCAST_DIRECTORIES does not name it.')
  try {
    await podcastIndex(directories.podcastIndex).search('news', AbortSignal.timeout(timeoutMs))
    return ok(`Podcast Index at ${directories.podcastIndex.baseUrl}`)
  } catch (error) {
    return wrong(
      `Podcast Index: ${messageOf(error)}. Look at PODCASTINDEX_KEY and PODCASTINDEX_SECRET, and at this machine’s clock.`,
    )
  }
}

async function checkItunes({ directories }: Config): Promise<Finding> {
  if (!directories.names.includes('itunes')) return unset('PODCAST_DIRECTORIES does not name it.')
  try {
    await itunes(directories.itunes).search('news', AbortSignal.timeout(timeoutMs))
    return ok(`iTunes Search at ${directories.itunes.baseUrl}`)
  } catch (error) {
    return warning(`iTunes Search: ${messageOf(error)}. It is left out of searches until it answers.`)
  }
}

const turnstileAnswer = z.object({ 'error-codes': z.array(z.string()).default([]) })

async function checkTurnstile({ turnstile }: Config): Promise<Finding> {
  if (!turnstile)
    return unset('Turnstile’s keys are not set: ALTCHA’s proof of work is used, which needs none.')
  try {
    const response = await fetch(turnstileVerify, {
      method: 'POST',
      body: new URLSearchParams({ secret: turnstile.secretKey, response: 'a check of the settings' }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const { 'error-codes': codes } = turnstileAnswer.parse(await response.json())
    return codes.includes('invalid-input-secret')
      ? wrong('Cloudflare does not accept TURNSTILE_SECRET_KEY.')
      : ok('Cloudflare Turnstile')
  } catch (error) {
    return wrong(`Cloudflare cannot be reached: ${messageOf(error)}. Nobody can sign in without it.`)
  }
}

/** The names that a server lists; undefined where it does not list any. */
async function modelsOf(server: {
  baseUrl: string
  apiKey: string
}): Promise<{ models: string[] | undefined } | { failure: string }> {
  const client = new OpenAI({
    baseURL: server.baseUrl,
    apiKey: server.apiKey,
    timeout: timeoutMs,
    maxRetries: 0,
  })
  try {
    const models: string[] = []
    for await (const { id } of client.models.list()) models.push(id)
    return { models }
  } catch (error) {
    if (error instanceof APIConnectionError) return { failure: `${server.baseUrl} cannot be reached` }
    if (!(error instanceof APIError)) return { failure: `${server.baseUrl}: ${messageOf(error)}` }
    if (error.status === 401 || error.status === 403)
      return { failure: `${server.baseUrl} does not accept the key` }
    if (error.status === 404 || error.status === 405) return { models: undefined }
    return { failure: `${server.baseUrl}: ${messageOf(error)}` }
  }
}

function aboutModel(
  models: string[] | undefined,
  { model, baseUrl }: { model: string; baseUrl: string },
  setting: string,
): Finding {
  if (models === undefined) return warning(`${baseUrl} answers, but does not say which models it has.`)
  // Ollama adds a tag to a name that has none.
  if (models.includes(model) || models.includes(`${model}:latest`)) return ok(`${model} at ${baseUrl}`)
  const some = models.slice(0, 8).join(', ')
  return wrong(`${baseUrl} has no model ${model} (${setting}). It has: ${some || 'none'}`)
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ''
  return `${error.message}${cause}`
}
