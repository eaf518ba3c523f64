import { useState } from 'react'
import { createMemoryRouter } from 'react-router-dom'
import { sessionStorageKey } from '../../frontend/src/api/auth-client.ts'
import { App } from '../../frontend/src/app/App.tsx'
import { createAppQueryClient } from '../../frontend/src/app/app-query-client.ts'
import { routes } from '../../frontend/src/app/routes.tsx'
import { exampleSession } from './mocks/identity-handlers.ts'

export type ScreenProps = {
  path: string
  /** With its question mark. */
  search?: string
  /** Navigation state, as the screen before would have passed it. */
  state?: unknown
  isSignedIn?: boolean
  scheme?: 'light' | 'dark'
}

/** The whole application, opened at one address. */
export function Screen({ path, search = '', state, isSignedIn = true, scheme = 'light' }: ScreenProps) {
  const [router] = useState(() => {
    if (isSignedIn) window.localStorage.setItem(sessionStorageKey, JSON.stringify(exampleSession))
    return createMemoryRouter(routes, { initialEntries: [{ pathname: path, search, state }] })
  })
  const [queryClient] = useState(() => {
    const client = createAppQueryClient()
    // A story of an error shows it at once.
    client.setDefaultOptions({
      ...client.getDefaultOptions(),
      queries: { ...client.getDefaultOptions().queries, retry: false },
    })
    return client
  })
  return <App router={router} queryClient={queryClient} forceColorScheme={scheme} />
}
