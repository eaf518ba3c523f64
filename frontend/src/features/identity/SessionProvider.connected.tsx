import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { authClient } from '../../api/auth-client.ts'
import { forgetSearch } from '../podcasts/saved-search.ts'
import { type Session, SessionContext } from './session.ts'

/** Follows auth-js: signed in, refreshed, signed out, also in another tab. What one person saw is gone before the next signs in. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient()
  const [session, setSession] = useState<Session>({ state: 'resolving' })

  useEffect(() => {
    const { data } = authClient.onAuthStateChange((event, current) => {
      if (event === 'SIGNED_OUT') {
        queryClient.clear()
        forgetSearch(window.localStorage)
      }
      setSession((known) => nextSession(known, current?.user))
    })
    return () => data.subscription.unsubscribe()
  }, [queryClient])

  return <SessionContext value={session}>{children}</SessionContext>
}

/** The same object while nothing changed: a refreshed token need not redraw the screen. */
function nextSession(known: Session, user: { id: string; email?: string | undefined } | undefined): Session {
  if (user === undefined) return { state: 'signed_out' }
  const email = user.email ?? ''
  return known.state === 'signed_in' && known.userId === user.id && known.email === email
    ? known
    : { state: 'signed_in', userId: user.id, email }
}
