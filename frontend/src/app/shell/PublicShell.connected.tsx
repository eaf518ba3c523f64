import { Outlet } from 'react-router-dom'
import { useSession } from '../../features/identity/session.ts'
import { AppHeaderConnected } from './AppHeader.connected.tsx'
import { Frame } from './Frame.tsx'
import { PublicHeader } from './PublicHeader.tsx'

export function PublicShell() {
  const session = useSession()
  return (
    <Frame
      header={session.state === 'signed_in' ? <AppHeaderConnected email={session.email} /> : <PublicHeader />}
    >
      <Outlet />
    </Frame>
  )
}
