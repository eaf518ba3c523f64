import { creditsContract } from './credits.ts'
import { healthContract } from './health.ts'
import { identityContract } from './identity.ts'
import { paymentsContract } from './payments.ts'
import { podcastsContract } from './podcasts.ts'
import { summariesContract } from './summaries.ts'
import { transcriptsContract } from './transcripts.ts'

/** Where the API lives, on the same origin as the app: `/search` the screen and `/v1/search` the call never meet. */
export const apiBase = '/v1'

/** Every call of the product's own API; the controllers, the browser's client, the mocks and the reference come from it. */
export const apiContract = {
  identity: identityContract,
  podcasts: podcastsContract,
  transcripts: transcriptsContract,
  summaries: summariesContract,
  credits: creditsContract,
  payments: paymentsContract,
  health: healthContract,
}
