import { useMutation } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { authClient } from '../../api/auth-client.ts'

type Credentials = { email: string; password: string; turnstile_token: string }

/** Signs in and hands the tokens to auth-js, which keeps and refreshes them. */
export function useSignIn() {
  return useMutation({
    mutationFn: async (credentials: Credentials) => {
      const tokens = await api.identity.signIn.call(credentials)
      const { error } = await authClient.setSession(tokens)
      if (error !== null) throw error
    },
  })
}
