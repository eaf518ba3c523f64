import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { type SubmitEvent, type ReactNode, useState } from 'react'
import { Notice } from '../../ui/Notice.tsx'
import { signUpRefusal } from './sign-up-rules.ts'

export type SignUpFields = { email: string; password: string }

type SignUpFormProps = {
  isSending: boolean
  isDone: boolean
  errorMessage: string | null
  challengeToken: string | null
  challenge: ReactNode
  onSubmit: (fields: SignUpFields) => void
}

export function SignUpForm(props: SignUpFormProps) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [refusal, setRefusal] = useState<string | null>(null)

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const found = signUpRefusal({ password, confirmation, challengeToken: props.challengeToken })
    setRefusal(found)
    if (found === null && !props.isSending) props.onSubmit({ email: email.trim(), password })
  }

  if (props.isDone) return <Notice kind="success">Account created successfully! You can now sign in.</Notice>
  const message = refusal ?? props.errorMessage
  return (
    <form onSubmit={submit} aria-label="Create an account">
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
          description="At least 6 characters"
          name="password"
          autoComplete="new-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <PasswordInput
          label="Confirm password"
          name="confirmation"
          autoComplete="new-password"
          required
          withAsterisk={false}
          value={confirmation}
          onChange={(event) => setConfirmation(event.currentTarget.value)}
        />
        {props.challenge}
        {message !== null && <Notice kind="problem">{message}</Notice>}
        <Button type="submit" fullWidth loading={props.isSending}>
          Create Account
        </Button>
      </Stack>
    </form>
  )
}
