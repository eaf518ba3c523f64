import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn, userEvent } from 'storybook/test'
import { SignUpForm } from './SignUpForm.tsx'

const meta: Meta<typeof SignUpForm> = {
  title: 'Identity/SignUpForm',
  component: SignUpForm,
  args: {
    isSending: false,
    isDone: false,
    errorMessage: null,
    challengeToken: 'solved',
    challenge: <p>The security challenge</p>,
    onSubmit: fn(),
  },
  decorators: [(Story) => <div style={{ maxWidth: 400 }}>{Story()}</div>],
}
export default meta

type Story = StoryObj<typeof SignUpForm>

const fillIn =
  (password: string, confirmation: string): NonNullable<Story['play']> =>
  async ({ canvas }) => {
    await userEvent.type(canvas.getByLabelText('Email'), 'ana@example.org')
    await userEvent.type(canvas.getByLabelText('Password'), password)
    await userEvent.type(canvas.getByLabelText('Confirm password'), confirmation)
    await userEvent.click(canvas.getByRole('button', { name: 'Create Account' }))
  }

export const Default: Story = {
  play: async (context) => {
    await fillIn('lantern', 'lantern')(context)
    await expect(context.args.onSubmit).toHaveBeenCalledWith({
      email: 'ana@example.org',
      password: 'lantern',
    })
  },
}

export const DifferentPasswords: Story = {
  play: async (context) => {
    await fillIn('lantern', 'lamp post')(context)
    await expect(context.canvas.getByRole('alert')).toHaveTextContent('Passwords do not match')
    await expect(context.args.onSubmit).not.toHaveBeenCalled()
  },
}

export const ShortPassword: Story = {
  play: async (context) => {
    await fillIn('lamp', 'lamp')(context)
    await expect(context.canvas.getByRole('alert')).toHaveTextContent(
      'Password must be at least 6 characters',
    )
  },
}

export const Unsolved: Story = {
  args: { challengeToken: null },
  play: async (context) => {
    await fillIn('lantern', 'lantern')(context)
    await expect(context.canvas.getByRole('alert')).toHaveTextContent(
      'Please complete the security challenge',
    )
    await expect(context.args.onSubmit).not.toHaveBeenCalled()
  },
}

export const Sending: Story = { args: { isSending: true } }
export const Failed: Story = { args: { errorMessage: 'Signup failed' } }
export const Done: Story = { args: { isDone: true } }
export const DoneInDark: Story = { ...Done, globals: { scheme: 'dark' } }
