import { authClient } from '../../api/auth-client.ts'
import { CreditWidgetConnected } from '../../features/credits/CreditWidget.connected.tsx'
import { AppHeader } from './AppHeader.tsx'
import { ColorSchemeToggle } from './ColorSchemeToggle.tsx'

export function AppHeaderConnected({ email }: { email: string }) {
  return (
    <AppHeader
      email={email}
      creditWidget={<CreditWidgetConnected />}
      colorSchemeToggle={<ColorSchemeToggle />}
      onSignOut={() => void authClient.signOut({ scope: 'local' })}
    />
  )
}
