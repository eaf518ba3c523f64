import ipaddr from 'ipaddr.js'

/**
 * Whether an address belongs to the public internet. Everything else (loopback, private, link-local, shared,
 * documentation, multicast, tunnels to them) is a way into the network that we run in.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  // Unwraps ::ffff:a.b.c.d, which would else pass as IPv6.
  const parsed = ipaddr.process(address)
  return parsed.range() === 'unicast'
}
