import { apiContract } from '@earmark/contracts/api'
import { apiExamples, exampleEpisodes, exampleFeeds } from '@earmark/contracts/examples'
import { microcreditsPerCredit, transcriptionPriceMicrocredits } from '@earmark/contracts/pricing'
import { answer, type ApiHandlers } from './mock-call.ts'

const { identity, podcasts, transcripts, credits, health } = apiContract

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
  credits: {
    balance: answer(credits.balance, apiExamples.credits.balance),
    estimate: answer(credits.estimate, ({ body }) => {
      const durationSeconds = (body as { duration_seconds?: number }).duration_seconds ?? 0
      return {
        operation_type: 'transcription' as const,
        estimated_cost: transcriptionPriceMicrocredits(durationSeconds) / microcreditsPerCredit,
        factors: { duration_seconds: durationSeconds },
      }
    }),
    checkSufficient: answer(credits.checkSufficient, apiExamples.credits.checkSufficient),
    transactions: answer(credits.transactions, apiExamples.credits.transactions),
    pricing: answer(credits.pricing, apiExamples.credits.pricing),
  },
  health: {
    live: answer(health.live, apiExamples.health.live),
    ready: answer(health.ready, apiExamples.health.ready),
  },
}
