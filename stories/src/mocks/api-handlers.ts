import { apiContract } from '@earmark/contracts/api'
import type { OperationType } from '@earmark/contracts/credits'
import { apiExamples, exampleEpisodes, exampleFeeds } from '@earmark/contracts/examples'
import {
  microcreditsPerCredit,
  summaryMicrocredits,
  transcriptionPriceMicrocredits,
} from '@earmark/contracts/pricing'
import { answer, type ApiHandlers } from './mock-call.ts'

const { identity, podcasts, transcripts, summaries, credits, payments, health } = apiContract

/** The world in which everything goes well. Stories override single calls. */
export const apiHandlers: ApiHandlers = {
  identity: {
    signUp: answer(identity.signUp, apiExamples.identity.signUp),
    signIn: answer(identity.signIn, apiExamples.identity.signIn),
    challenge: answer(identity.challenge, apiExamples.identity.challenge),
    challengeSettings: answer(identity.challengeSettings, apiExamples.identity.challengeSettings),
  },
  podcasts: {
    search: answer(podcasts.search, { feeds: [...exampleFeeds] }),
    episodes: answer(podcasts.episodes, ({ url }) => {
      const wanted = url.searchParams.get('search')?.toLowerCase() ?? ''
      const episodes = exampleEpisodes.filter(({ title }) => title.toLowerCase().includes(wanted))
      return { ...apiExamples.podcasts.episodes, episodes, total: episodes.length }
    }),
  },
  transcripts: {
    create: answer(transcripts.create, apiExamples.transcripts.create),
    get: answer(transcripts.get, apiExamples.transcripts.get),
    getSaved: answer(transcripts.getSaved, apiExamples.transcripts.getSaved),
    list: answer(transcripts.list, { transcripts: [], total: 0 }),
  },
  summaries: {
    create: answer(summaries.create, apiExamples.summaries.create),
    get: answer(summaries.get, apiExamples.summaries.get),
    ofTranscript: answer(summaries.ofTranscript, { summaries: [] }),
  },
  credits: {
    balance: answer(credits.balance, apiExamples.credits.balance),
    estimate: answer(credits.estimate, ({ body }) => {
      const { operation_type, ...factors } = body as {
        operation_type: OperationType
        duration_seconds?: number
      }
      const price =
        operation_type === 'summary'
          ? summaryMicrocredits
          : transcriptionPriceMicrocredits(factors.duration_seconds ?? 0)
      return { operation_type, estimated_cost: price / microcreditsPerCredit, factors }
    }),
    checkSufficient: answer(credits.checkSufficient, apiExamples.credits.checkSufficient),
    transactions: answer(credits.transactions, apiExamples.credits.transactions),
    statement: answer(credits.statement, apiExamples.credits.statement),
    spending: answer(credits.spending, apiExamples.credits.spending),
    pricing: answer(credits.pricing, apiExamples.credits.pricing),
  },
  payments: {
    packages: answer(payments.packages, apiExamples.payments.packages),
    createCheckoutSession: answer(payments.createCheckoutSession, apiExamples.payments.createCheckoutSession),
    sessionStatus: answer(payments.sessionStatus, apiExamples.payments.sessionStatus),
    completePayment: answer(payments.completePayment, apiExamples.payments.completePayment),
  },
  health: {
    live: answer(health.live, apiExamples.health.live),
    ready: answer(health.ready, apiExamples.health.ready),
  },
}
