declare module 'virtual:api-routes' {
  import type { apiContract } from '@earmark/contracts/api'

  /** The contract without its schemas: see vite-contract.ts. */
  export const apiRoutes: typeof apiContract
}
