import '@fontsource/instrument-serif/400-italic.css'
import { Button } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { Link, Navigate } from 'react-router-dom'
import { hourPriceInDollars, summaryPriceInDollars } from '../../features/credits/prices.ts'
import { useSession } from '../../features/identity/session.ts'
import { Features, HowItWorks } from '../../features/landing/Features.tsx'
import { LandingFooter, PricingTeaser } from '../../features/landing/PricingTeaser.tsx'
import { sample } from '../../features/landing/sample.ts'
import { Sample } from '../../features/landing/Sample.tsx'
import { useAudio } from '../../features/transcripts/use-audio.ts'
import { LoadingScreen } from '../../ui/LoadingScreen.tsx'
import { Page } from '../../ui/Page.tsx'
import classes from './LandingPage.module.css'

export function LandingPage() {
  const session = useSession()
  if (session.state === 'resolving') return <LoadingScreen />
  if (session.state === 'signed_in') return <Navigate to="/search" replace />
  return <Landing />
}

function Landing() {
  const { state, controls } = useAudio(sample.audioUrl, 'none')
  const HearIcon = state.isPlaying ? IconPlayerPause : IconPlayerPlay
  return (
    <Page title="Hear it once, keep what matters">
      <div className={classes.hero}>
        <div>
          <h1 className={classes.title}>
            Hear it once. <em>Keep what matters.</em>
          </h1>
          <p className={classes.lead}>
            Find any podcast, turn an episode into a transcript you can search and quote, and get a summary
            whose every quote leads back to the moment it was said.
          </p>
          <div className={classes.actions}>
            <Button component={Link} to="/signup" size="md" h={52} px={26}>
              Get Started
            </Button>
            <Button
              size="md"
              h={52}
              variant="subtle"
              leftSection={<HearIcon size={20} stroke={1.75} aria-hidden />}
              onClick={() => {
                if (!state.isPlaying) {
                  document.getElementById('sample')?.scrollIntoView({ block: 'nearest' })
                }
                controls.toggle()
              }}
            >
              {state.isPlaying ? 'Pause the sample' : 'Hear the sample'}
            </Button>
          </div>
          <p className={classes.price}>
            {`Pay as you go: ${hourPriceInDollars} an hour of audio, ${summaryPriceInDollars} a summary. Each started minute is charged. Credits never expire.`}
          </p>
        </div>
        <Sample state={state} controls={controls} />
      </div>
      <Features />
      <HowItWorks />
      <PricingTeaser />
      <LandingFooter />
    </Page>
  )
}
