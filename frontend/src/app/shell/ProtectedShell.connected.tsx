import { Navigate, Outlet } from 'react-router-dom'
import { authClient } from '../../api/auth-client.ts'
import { CreditWidgetConnected } from '../../features/credits/CreditWidget.connected.tsx'
import { useSession } from '../../features/identity/session.ts'
import { LoadingScreen } from '../../ui/LoadingScreen.tsx'
import { AppHeader } from './AppHeader.tsx'
import { ColorSchemeToggle } from './ColorSchemeToggle.tsx'
import { Frame } from './Frame.tsx'

/** Everything behind it is for signed-in users alone; without a session it leads to sign-in. */
export function ProtectedShell() {
  const session = useSession()
  if (session.state === 'resolving') return <LoadingScreen />
  if (session.state === 'signed_out') return <Navigate to="/login" replace />
  return (
    <Frame
      header={
        <AppHeader
          email={session.email}
          creditWidget={<CreditWidgetConnected />}
          colorSchemeToggle={<ColorSchemeToggle />}
          onSignOut={() => void authClient.signOut({ scope: 'local' })}
        />
      }
    >
      <Outlet />
    </Frame>
  )
}
