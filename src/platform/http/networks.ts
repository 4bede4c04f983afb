import { isIP } from 'node:net'

/** The address as IPv4 if it is one in the form of IPv6: `192.0.2.1` for `::ffff:192.0.2.1`. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

/**
 * The network of a client, for limits per client. A host controls its whole IPv6 /64, so all
 * addresses of one are the same network; an IPv4 address is one by itself.
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address)
  if (isIP(plain) !== 6) return plain
  const [head = [], tail = []] = plain.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0')
  return [...head, ...zeros, ...tail].slice(0, 4).join(':')
}
