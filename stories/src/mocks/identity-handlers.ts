import { apiExamples } from '@earmark/contracts/examples'
import { http, HttpResponse } from 'msw'

/** What GoTrue says of the person who is signed in. */
export const exampleUser = {
  id: 'b3f1f0a2-6d7e-4a51-8f0e-2c1d5a7e9b10',
  aud: 'authenticated',
  role: 'authenticated',
  email: 'ana@example.org',
  phone: '',
  app_metadata: { provider: 'email', providers: ['email'] },
  user_metadata: {},
  identities: [],
  created_at: '2026-11-12T20:39:00.000000Z',
  updated_at: '2026-11-20T18:00:00.000000Z',
  is_anonymous: false,
}

/** As auth-js keeps it in the browser's storage. */
export const exampleSession = { ...apiExamples.identity.signIn, user: exampleUser }

/** The part of GoTrue's protocol that auth-js speaks on these screens. */
export const identityHandlers = [
  http.get('*/v1/auth/v1/user', () => HttpResponse.json(exampleUser)),
  http.post('*/v1/auth/v1/token', () => HttpResponse.json(exampleSession)),
  http.post('*/v1/auth/v1/logout', () => new HttpResponse(null, { status: 204 })),
]
