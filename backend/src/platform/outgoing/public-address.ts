import ipaddr from 'ipaddr.js'

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an address belongs to the public internet. Everything else (loopback, private, link-local, shared,
 * documentation, multicast, tunnels to them) is a way into the network that we run in.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  // Unwraps ::ffff:a.b.c.d, which would else pass as IPv6.
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  // Of IPv6 only 2000::/3 is given out (RFC 4291, section 2.4); ::a.b.c.d among others is not.
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast)
}
