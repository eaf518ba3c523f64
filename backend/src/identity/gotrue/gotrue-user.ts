import type { Selectable } from 'kysely'
import type { Schema } from '../../platform/postgres/schema.ts'

export type GoTrueUser = ReturnType<typeof toGoTrueUser>

/** A user as GoTrue's protocol shows one who signed up by e-mail. */
export function toGoTrueUser(user: Selectable<Schema['users']>) {
  const createdAt = user.created_at.toISOString()
  const updatedAt = user.updated_at.toISOString()
  const lastSignInAt = user.last_sign_in_at?.toISOString()
  return {
    id: user.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: user.email,
    email_confirmed_at: createdAt,
    phone: '',
    confirmed_at: createdAt,
    ...(lastSignInAt !== undefined && { last_sign_in_at: lastSignInAt }),
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: {},
    identities: [
      {
        identity_id: user.id,
        id: user.id,
        user_id: user.id,
        identity_data: { email: user.email, email_verified: false, phone_verified: false, sub: user.id },
        provider: 'email',
        last_sign_in_at: lastSignInAt ?? createdAt,
        created_at: createdAt,
        updated_at: updatedAt,
        email: user.email,
      },
    ],
    created_at: createdAt,
    updated_at: updatedAt,
    is_anonymous: false,
  }
}
