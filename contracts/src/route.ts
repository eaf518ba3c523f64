import { oc } from '@orpc/contract'

/** `public` is answered without a token; `account` asks for a bearer token (spec section 6). */
export type RouteMeta = { access: 'public' | 'account' }

const route = oc.$meta<RouteMeta>({ access: 'account' })

const bearer = { security: [{ bearer: [] }] }

/** A call that asks for a bearer token. */
export const accountRoute = route.$route({ spec: (operation) => ({ ...operation, ...bearer }) })

/** A call that anybody may make. */
export const publicRoute = route.meta({ access: 'public' })
