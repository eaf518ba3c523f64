import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { type SubmitEvent, type ReactNode, useState } from 'react'
import { Notice } from '../../ui/Notice.tsx'

export type SignInFields = { email: string; password: string }

type SignInFormProps = {
  isSending: boolean
  errorMessage: string | null
  isChallengeSolved: boolean
  challenge: ReactNode
  onSubmit: (fields: SignInFields) => void
}

export function SignInForm(props: SignInFormProps) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (props.isChallengeSolved && !props.isSending) props.onSubmit({ email: email.trim(), password })
  }

  return (
    <form onSubmit={submit} aria-label="Sign in">
      <Stack gap="md">
        <TextInput
          label="Email"
          type="email"
          name="email"
          autoComplete="username"
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {props.challenge}
        {props.errorMessage !== null && <Notice kind="problem">{props.errorMessage}</Notice>}
        <Button type="submit" fullWidth disabled={!props.isChallengeSolved} loading={props.isSending}>
          Sign In
        </Button>
      </Stack>
    </form>
  )
}
