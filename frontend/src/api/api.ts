import type { apiContract, apiBase } from '@earmark/contracts/api'
import { createORPCClient } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import { createTanstackQueryUtils } from '@orpc/tanstack-query'
import { apiRoutes } from 'virtual:api-routes'
import { accessToken } from './auth-client.ts'
import { problemDecoder } from './problem.ts'

const base: typeof apiBase = '/v1'

const link = new OpenAPILink(apiRoutes, {
  url: () => `${window.location.origin}${base}`,
  headers: async () => {
    const token = await accessToken()
    return token === null ? {} : { authorization: `Bearer ${token}` }
  },
  customErrorResponseBodyDecoder: problemDecoder,
})

/** Every call of the API, as TanStack Query options. A failed call throws an ORPCError: read it with `readProblem`. */
export const api = createTanstackQueryUtils(createORPCClient<ContractRouterClient<typeof apiContract>>(link))
