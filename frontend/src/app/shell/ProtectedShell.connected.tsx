import { Navigate, Outlet } from 'react-router-dom'
import { useSession } from '../../features/identity/session.ts'
import { LoadingScreen } from '../../ui/LoadingScreen.tsx'
import { AppHeaderConnected } from './AppHeader.connected.tsx'
import { Frame } from './Frame.tsx'

/** Everything behind it is for signed-in users alone; without a session it leads to sign-in. */
export function ProtectedShell() {
  const session = useSession()
  if (session.state === 'resolving') return <LoadingScreen />
  if (session.state === 'signed_out') return <Navigate to="/login" replace />
  return (
    <Frame header={<AppHeaderConnected email={session.email} />}>
      <Outlet />
    </Frame>
  )
}
