import { apiContract } from '@earmark/contracts/api'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitFor } from 'storybook/test'
import { breakOff, keepWaiting, refuse } from '../mocks/mock-call.ts'
import { Screen } from '../screen.tsx'

const { signIn, signUp, challengeSettings, challenge } = apiContract.identity

const meta: Meta<typeof Screen> = {
  title: 'Screens/Identity',
  component: Screen,
  args: { isSignedIn: false, path: '/login' },
  parameters: { isScreen: true },
}
export default meta

type Story = StoryObj<typeof Screen>
type Canvas = Parameters<NonNullable<Story['play']>>[0]['canvas']

/** The challenge is solved by the real widget. */
async function solved(canvas: Canvas, name: string) {
  const button = await canvas.findByRole('button', { name })
  await canvas.findByText('Verified', {}, { timeout: 8000 })
  await waitFor(() => expect(button).toBeEnabled(), { timeout: 8000 })
  return button
}

async function signInAsAna(canvas: Canvas) {
  await userEvent.type(await canvas.findByLabelText('Email'), 'ana@example.org')
  await userEvent.type(canvas.getByLabelText('Password'), 'lantern')
  await userEvent.click(await solved(canvas, 'Sign In'))
}

async function signUpAsAna(canvas: Canvas) {
  await userEvent.type(await canvas.findByLabelText('Email'), 'ana@example.org')
  await userEvent.type(canvas.getByLabelText('Password'), 'lantern')
  await userEvent.type(canvas.getByLabelText('Confirm password'), 'lantern')
  await userEvent.click(await solved(canvas, 'Create Account'))
}

export const SignIn: Story = {
  play: async ({ canvas }) => {
    await solved(canvas, 'Sign In')
    await expect(document.title).toBe('Sign In · Earmark')
  },
}

export const SignInInDark: Story = { ...SignIn, args: { scheme: 'dark' }, globals: { scheme: 'dark' } }

export const SignInUnsolved: Story = {
  beforeEach: ({ msw }) => msw.use(keepWaiting(challenge)),
  play: async ({ canvas }) => expect(await canvas.findByRole('button', { name: 'Sign In' })).toBeDisabled(),
}

export const SignInRefused: Story = {
  beforeEach: ({ msw }) => msw.use(refuse(signIn, 'invalid_credentials', 'Invalid credentials')),
  play: async ({ canvas }) => {
    await signInAsAna(canvas)
    await expect(await canvas.findByText('Invalid credentials')).toBeVisible()
    // The proof was spent: a fresh one is asked for and solved before the next try.
    await solved(canvas, 'Sign In')
  },
}

export const SignInWithoutNetwork: Story = {
  beforeEach: ({ msw }) => msw.use(breakOff(signIn)),
  play: async ({ canvas }) => {
    await signInAsAna(canvas)
    await expect(await canvas.findByText('Signin failed')).toBeVisible()
  },
}

export const ChallengeUnavailable: Story = {
  beforeEach: ({ msw }) =>
    msw.use(
      refuse(challengeSettings, 'temporarily_unavailable', 'The service is starting. Try again in a moment.'),
    ),
  play: async ({ canvas }) => {
    await expect(await canvas.findByText('The security challenge could not be loaded.')).toBeVisible()
  },
}

export const SignUp: Story = {
  args: { path: '/signup' },
  play: async ({ canvas }) => {
    await solved(canvas, 'Create Account')
  },
}

export const SignUpDone: Story = {
  args: { path: '/signup' },
  play: async ({ canvas }) => {
    await signUpAsAna(canvas)
    await expect(await canvas.findByText('Account created successfully! You can now sign in.')).toBeVisible()
    await expect(await canvas.findByRole('heading', { name: 'Sign In' }, { timeout: 4000 })).toBeVisible()
  },
}

export const SignUpRefused: Story = {
  args: { path: '/signup' },
  beforeEach: ({ msw }) =>
    msw.use(
      refuse(signUp, 'invalid_challenge', 'The security challenge has expired. Please solve it again.'),
    ),
  play: async ({ canvas }) => {
    await signUpAsAna(canvas)
    await canvas.findByText('The security challenge has expired. Please solve it again.')
  },
}

export const SignUpWithoutNetwork: Story = {
  args: { path: '/signup' },
  beforeEach: ({ msw }) => msw.use(breakOff(signUp)),
  play: async ({ canvas }) => {
    await signUpAsAna(canvas)
    await canvas.findByText('An unexpected error occurred')
  },
}

export const NotFound: Story = {
  args: { path: '/no-such-page' },
  play: async ({ canvas }) => {
    await canvas.findByRole('heading', { name: 'This page does not exist' })
  },
}
