import { ORPCModule } from '@orpc/nest'

/** Failures of contract calls go to the one filter that shapes every failure, so that they are logged there too. */
export const orpcModule = ORPCModule.forRoot({
  customErrorResponseBodyEncoder: (error) => {
    throw error
  },
})
