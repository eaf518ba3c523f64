import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router-dom'
import { cssVariables, theme } from '../../frontend/src/ui/theme.ts'

type SurroundingsProps = { scheme: 'light' | 'dark'; children: ReactNode }

/** What every component may count on: the theme, a router, and paper to stand on. */
export function Surroundings({ scheme, children }: SurroundingsProps) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} forceColorScheme={scheme}>
      <MemoryRouter>
        <main style={{ padding: 24, maxWidth: 1120, marginInline: 'auto' }}>{children}</main>
      </MemoryRouter>
    </MantineProvider>
  )
}
