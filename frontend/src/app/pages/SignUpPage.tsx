import { useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { signUpMessage } from '../../features/identity/messages.ts'
import { BotChallenge } from '../../features/identity/BotChallenge.tsx'
import { SignUpForm, type SignUpFields } from '../../features/identity/SignUpForm.tsx'
import { useChallengeSettings } from '../../features/identity/use-challenge-settings.ts'
import { useSignUp } from '../../features/identity/use-sign-up.ts'
import { Page, PageTitle } from '../../ui/Page.tsx'
import classes from './form-page.module.css'

/** Spec section 9. */
const redirectAfterMs = 2_000

export function SignUpPage() {
  const navigate = useNavigate()
  const settings = useChallengeSettings()
  const signUp = useSignUp()
  const [token, setToken] = useState<string | null>(null)
  const [attempt, setAttempt] = useState(0)
  const isDone = signUp.isSuccess

  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(() => void navigate('/login'), redirectAfterMs)
    return () => clearTimeout(timer)
  }, [isDone, navigate])

  const submit = (fields: SignUpFields) => {
    if (token === null) return
    const startAgain = () => {
      setToken(null)
      setAttempt(attempt + 1)
    }
    signUp.mutate({ ...fields, turnstile_token: token }, { onError: startAgain })
  }

  return (
    <Page title="Create an account" width="form">
      <PageTitle>Create an account</PageTitle>
      <div className={classes.form}>
        <SignUpForm
          isSending={signUp.isPending}
          isDone={isDone}
          errorMessage={signUp.error === null ? null : signUpMessage(signUp.error)}
          challengeToken={token}
          challenge={<BotChallenge key={attempt} settings={settings} onToken={setToken} />}
          onSubmit={submit}
        />
      </div>
      <p className={classes.other}>
        Already have an account? <Link to="/login">Sign in</Link>
      </p>
    </Page>
  )
}
