import { MantineProvider } from '@mantine/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type createBrowserRouter, RouterProvider } from 'react-router-dom'
import { SessionProvider } from '../features/identity/SessionProvider.connected.tsx'
import { colorSchemeManager, cssVariables, theme } from '../ui/theme.ts'

type AppProps = {
  router: ReturnType<typeof createBrowserRouter>
  queryClient: QueryClient
  /** Set by stories, which show one scheme at a time. */
  forceColorScheme?: 'light' | 'dark'
}

export function App({ router, queryClient, forceColorScheme }: AppProps) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      {...(forceColorScheme !== undefined && { forceColorScheme })}
    >
      <QueryClientProvider client={queryClient}>
        <SessionProvider>
          <RouterProvider router={router} />
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}
