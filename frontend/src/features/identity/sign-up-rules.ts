/** Spec section 5. */
export const minimumPasswordLength = 6

type SignUpFields = { password: string; confirmation: string; challengeToken: string | null }

/** What keeps the form from being sent, in the spec's words; null when nothing does. */
export function signUpRefusal({ password, confirmation, challengeToken }: SignUpFields): string | null {
  if (password !== confirmation) return 'Passwords do not match'
  if (password.length < minimumPasswordLength) return 'Password must be at least 6 characters'
  return challengeToken === null ? 'Please complete the security challenge' : null
}
