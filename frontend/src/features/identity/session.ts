import { createContext, use } from 'react'

export type Session =
  { state: 'resolving' } | { state: 'signed_out' } | { state: 'signed_in'; userId: string; email: string }

export const SessionContext = createContext<Session>({ state: 'resolving' })

export function useSession(): Session {
  return use(SessionContext)
}
