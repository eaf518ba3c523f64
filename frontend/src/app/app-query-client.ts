import { authClient } from '../api/auth-client.ts'
import { createQueryClient } from '../api/query-client.ts'

/** A session that the API refuses is over: ending it here leads to sign-in by way of the protected shell. */
export function createAppQueryClient() {
  return createQueryClient(() => void authClient.signOut({ scope: 'local' }))
}
