import { hash, verify } from '@node-rs/argon2'

const argon2id = 2

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. */
const parameters = { algorithm: argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

let decoy: Promise<string> | undefined

export function hashPassword(password: string): Promise<string> {
  return hash(password, parameters)
}

/** Takes the same time whether or not there is a hash, so that nobody learns which addresses have an account. */
export async function isRightPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password')
  const matches = await verify(passwordHash ?? (await decoy), password)
  return matches && passwordHash !== undefined
}
