import '@fontsource/instrument-serif/400-italic.css'
import { Button } from '@mantine/core'
import { Link, Navigate } from 'react-router-dom'
import { useSession } from '../../features/identity/session.ts'
import { LoadingScreen } from '../../ui/LoadingScreen.tsx'
import { Page } from '../../ui/Page.tsx'
import classes from './LandingPage.module.css'

export function LandingPage() {
  const session = useSession()
  if (session.state === 'resolving') return <LoadingScreen />
  if (session.state === 'signed_in') return <Navigate to="/search" replace />
  return (
    <Page title="Hear it once, keep what matters">
      <div className={classes.hero}>
        <h1 className={classes.title}>
          Hear it once. <em>Keep what matters.</em>
        </h1>
        <p className={classes.lead}>
          Find any podcast and turn an episode into a transcript you can read, search and quote, with every
          line tied to the moment it was said.
        </p>
        <div className={classes.actions}>
          <Button component={Link} to="/signup" size="md" h={52} px={26}>
            Get Started
          </Button>
          <Button component={Link} to="/login" size="md" h={52} variant="subtle">
            Sign In
          </Button>
        </div>
        <p className={classes.price}>
          Pay as you go: 0.01 credits a minute of audio, $0.60 an hour. Credits never expire.
        </p>
      </div>
    </Page>
  )
}
