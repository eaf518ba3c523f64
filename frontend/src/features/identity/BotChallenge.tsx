import { Button, Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { Notice } from '../../ui/Notice.tsx'

export type ChallengeSettings =
  | { provider: 'loading' }
  | { provider: 'unavailable'; onRetry: () => void }
  | { provider: 'altcha' }
  | { provider: 'turnstile'; site_key: string }

type BotChallengeProps = {
  settings: ChallengeSettings
  /** The proof, or null while there is none or once it has expired. */
  onToken: (token: string | null) => void
}

const AltchaChallenge = lazy(() => import('./AltchaChallenge.tsx'))
const TurnstileChallenge = lazy(() => import('./TurnstileChallenge.tsx'))
const placeholder = <Skeleton height={56} role="status" aria-label="Loading the security challenge" />

/** Each proof is good for one try: give the component a new `key` to ask for another. */
export function BotChallenge({ settings, onToken }: BotChallengeProps) {
  switch (settings.provider) {
    case 'loading':
      return placeholder
    case 'unavailable':
      return (
        <Notice
          kind="problem"
          action={
            <Button variant="default" h={36} onClick={settings.onRetry}>
              Try Again
            </Button>
          }
        >
          The security challenge could not be loaded.
        </Notice>
      )
    case 'altcha':
      return (
        <Suspense fallback={placeholder}>
          <AltchaChallenge onToken={onToken} />
        </Suspense>
      )
    case 'turnstile':
      return (
        <Suspense fallback={placeholder}>
          <TurnstileChallenge siteKey={settings.site_key} onToken={onToken} />
        </Suspense>
      )
  }
}
