import { apiContract } from '@earmark/contracts/api'
import { minifyContractRouter } from '@orpc/contract'
import type { Plugin } from 'vite'

const virtualId = 'virtual:api-routes'

/**
 * Serves the contract's methods and paths as plain data under `virtual:api-routes`.
 * The browser needs no more of it: importing the contract itself would ship every schema and the validator.
 */
export function contractRoutes(): Plugin {
  return {
    name: 'earmark-contract-routes',
    resolveId: (id) => (id === virtualId ? `\0${virtualId}` : undefined),
    load: (id) =>
      id === `\0${virtualId}`
        ? `export const apiRoutes = ${JSON.stringify(minifyContractRouter(apiContract))}`
        : undefined,
  }
}
