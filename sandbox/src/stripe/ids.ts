import { randomBytes } from 'node:crypto'

const letters = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** An id in Stripe's style: the prefix and letters that nobody can guess. */
export function newId(prefix: string, length = 24): string {
  const random = Array.from(randomBytes(length), (byte) => letters[byte % letters.length]).join('')
  return prefix + random
}

export function unixSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
