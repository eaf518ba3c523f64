import { AuthClient, isAuthRetryableFetchError } from '@supabase/auth-js'

/** Where auth-js keeps the session in the browser's storage. */
export const sessionStorageKey = 'earmark-session'

/** Keeps, refreshes and ends the session (GoTrue's protocol). Signing in itself goes through the product's own call. */
export const authClient = new AuthClient({
  url: `${window.location.origin}/v1/auth/v1`,
  storageKey: sessionStorageKey,
  autoRefreshToken: true,
  persistSession: true,
})

/** The access token, refreshed first when it is about to expire; null without a session. */
export async function accessToken(): Promise<string | null> {
  const { data, error } = await authClient.getSession()
  // The session could not be refreshed for now: without this the call would go out as a stranger's, and sign the user out.
  if (error && isAuthRetryableFetchError(error)) throw error
  return data.session?.access_token ?? null
}
