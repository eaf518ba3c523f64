import { Outlet } from 'react-router-dom'
import { useSession } from '../../features/identity/session.ts'
import { Frame } from './Frame.tsx'
import { PublicHeader } from './PublicHeader.tsx'

export function PublicShell() {
  const session = useSession()
  return (
    <Frame header={<PublicHeader isSignedIn={session.state === 'signed_in'} />}>
      <Outlet />
    </Frame>
  )
}
