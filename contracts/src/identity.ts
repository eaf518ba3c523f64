import * as z from 'zod'
import { publicRoute } from './route.ts'

const email = z.email().max(254).describe('Compared without regard to case')
const turnstileToken = z
  .string()
  .min(1, 'Please complete the security challenge')
  .max(8192)
  .describe("The solved bot challenge: ALTCHA's payload or Turnstile's token")

export const minimumPasswordLength = 6
const password = z.string().min(minimumPasswordLength, 'Password must be at least 6 characters').max(512)

export const sessionTokensSchema = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_in: z.int().describe('Seconds until the access token expires'),
  expires_at: z.int().describe('Unix time, seconds'),
  token_type: z.literal('bearer'),
})
export type SessionTokens = z.infer<typeof sessionTokensSchema>

/** Which bot challenge the forms show, and where its proof comes from. */
export const challengeSettingsSchema = z.discriminatedUnion('provider', [
  z.object({ provider: z.literal('altcha') }),
  z.object({ provider: z.literal('turnstile'), site_key: z.string() }),
])

export const identityContract = {
  signUp: publicRoute
    .route({
      method: 'POST',
      path: '/auth/signup',
      tags: ['Identity'],
      summary: 'Create an account',
      description:
        'A known address gets the same answer as a new one, so that nobody learns who has an account.',
    })
    .input(z.object({ email, password, turnstile_token: turnstileToken }))
    .output(z.object({ message: z.string() })),

  signIn: publicRoute
    .route({
      method: 'POST',
      path: '/auth/signin',
      tags: ['Identity'],
      summary: 'Sign in with e-mail and password',
    })
    .input(z.object({ email, password: z.string().min(1).max(512), turnstile_token: turnstileToken }))
    .output(sessionTokensSchema),

  challenge: publicRoute
    .route({
      method: 'GET',
      path: '/auth/challenge',
      tags: ['Identity'],
      summary: "A fresh ALTCHA challenge, in the shape that ALTCHA's widget reads",
    })
    .output(z.record(z.string(), z.unknown())),

  challengeSettings: publicRoute
    .route({
      method: 'GET',
      path: '/auth/challenge/settings',
      tags: ['Identity'],
      summary: 'Which bot challenge the sign-in and sign-up forms show',
    })
    .output(challengeSettingsSchema),
}
