import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { readProblem } from './problem.ts'

const retriesWithoutAnswer = 2

/** A lost answer or a server in trouble may come right; a refusal stays one. */
function mayComeRight(failureCount: number, error: unknown): boolean {
  const { status } = readProblem(error)
  return failureCount < retriesWithoutAnswer && (status === 0 || status >= 500)
}

/** `onSignedOut` is called when the API no longer accepts the session. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (readProblem(error).code === 'not_authenticated') onSignedOut()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: { queries: { retry: mayComeRight, staleTime: 30_000 }, mutations: { retry: false } },
  })
}
