import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn, userEvent } from 'storybook/test'
import { SignInForm } from './SignInForm.tsx'

const meta: Meta<typeof SignInForm> = {
  title: 'Identity/SignInForm',
  component: SignInForm,
  args: {
    isSending: false,
    errorMessage: null,
    isChallengeSolved: true,
    challenge: <p>The security challenge</p>,
    onSubmit: fn(),
  },
  decorators: [(Story) => <div style={{ maxWidth: 400 }}>{Story()}</div>],
}
export default meta

type Story = StoryObj<typeof SignInForm>

export const Default: Story = {
  play: async ({ canvas, args }) => {
    await userEvent.type(canvas.getByLabelText('Email'), 'ana@example.org')
    await userEvent.type(canvas.getByLabelText('Password'), 'lantern{Enter}')
    await expect(args.onSubmit).toHaveBeenCalledWith({ email: 'ana@example.org', password: 'lantern' })
  },
}

export const Unsolved: Story = {
  args: { isChallengeSolved: false },
  play: async ({ canvas }) => expect(canvas.getByRole('button', { name: 'Sign In' })).toBeDisabled(),
}

export const Sending: Story = { args: { isSending: true } }
export const Failed: Story = { args: { errorMessage: 'Invalid credentials' } }
export const FailedInDark: Story = { ...Failed, globals: { scheme: 'dark' } }
