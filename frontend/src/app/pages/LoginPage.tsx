import { useState } from 'react'
import { Link, Navigate, useNavigate } from 'react-router-dom'
import { signInMessage } from '../../features/identity/messages.ts'
import { BotChallenge } from '../../features/identity/BotChallenge.tsx'
import { useSession } from '../../features/identity/session.ts'
import { SignInForm, type SignInFields } from '../../features/identity/SignInForm.tsx'
import { useChallengeSettings } from '../../features/identity/use-challenge-settings.ts'
import { useSignIn } from '../../features/identity/use-sign-in.ts'
import { Page, PageTitle } from '../../ui/Page.tsx'
import classes from './form-page.module.css'

export function LoginPage() {
  const navigate = useNavigate()
  const session = useSession()
  const settings = useChallengeSettings()
  const signIn = useSignIn()
  const [token, setToken] = useState<string | null>(null)
  const [attempt, setAttempt] = useState(0)

  if (session.state === 'signed_in') return <Navigate to="/" replace />

  const submit = (fields: SignInFields) => {
    if (token === null) return
    signIn.mutate(
      { ...fields, turnstile_token: token },
      {
        onSuccess: () => void navigate('/', { replace: true }),
        onError: () => {
          setToken(null)
          setAttempt(attempt + 1)
        },
      },
    )
  }

  return (
    <Page title="Sign In" width="form">
      <PageTitle>Sign In</PageTitle>
      <div className={classes.form}>
        <SignInForm
          isSending={signIn.isPending}
          errorMessage={signIn.error === null ? null : signInMessage(signIn.error)}
          isChallengeSolved={token !== null}
          challenge={<BotChallenge key={attempt} settings={settings} onToken={setToken} />}
          onSubmit={submit}
        />
      </div>
      <p className={classes.other}>
        New here? <Link to="/signup">Create an account</Link>
      </p>
    </Page>
  )
}
