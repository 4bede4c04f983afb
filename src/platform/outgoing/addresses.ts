import { BlockList, isIP } from 'node:net'
import { once } from '#platform/memo.ts'

/** IPv4 networks that are not public. @source IANA, IPv4 Special-Purpose Address Registry */
const reserved4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12
  192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24
  203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`
/** The public IPv6 network, except for the networks below. */
const global6 = '2000::/3'
const reserved6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20'
/** Networks that embed an IPv4 address in the last 32 bits. */
const mapped = '::ffff:0:0/96'
const translated = '64:ff9b::/96'

const reserved = once(() => networkList(`${reserved4} ${reserved6}`))
const global = once(() => networkList(global6))
const embedding = once(() => networkList(`${mapped} ${translated}`))

/**
 * Parses a list of networks, each `address/bits` or a single address.
 *
 * @param source separated by white space or commas
 * @throws RangeError not a network
 */
export function networkList(source: string): BlockList {
  const list = new BlockList()
  for (const network of source.split(/[\s,]+/).filter(Boolean)) {
    const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(network) ?? []
    const [family, most] = address.includes(':')
      ? (['ipv6', 128] as const)
      : (['ipv4', 32] as const)
    const length = bits === undefined ? most : Number(bits)
    try {
      // It checks the address itself; isIP() would compile a pattern of 5 ms for that.
      list.addSubnet(address, length, family)
    } catch {
      throw new RangeError(`Not a network: ${network}`)
    }
  }
  return list
}

/**
 * Whether the server may connect to an address: only to the public internet and the networks that
 * the operator allows. This excludes loopback, private and link-local networks, cloud metadata,
 * multicast, and IPv6 addresses that embed such an IPv4 address.
 *
 * @param address IPv4 or IPv6, without brackets; never allowed with a zone
 */
export function isAllowedAddress(address: string, allowed: BlockList): boolean {
  const version = isIP(address)
  if (version === 0 || address.includes('%')) return false
  if (version === 4) {
    return allowed.check(address, 'ipv4') || !reserved().check(address, 'ipv4')
  }
  if (allowed.check(address, 'ipv6')) return true
  const inner = embeddedAddress(address)
  if (inner !== undefined) return isAllowedAddress(inner, allowed)
  return global().check(address, 'ipv6') && !reserved().check(address, 'ipv6')
}

function embeddedAddress(address: string): string | undefined {
  if (!embedding().check(address, 'ipv6')) return undefined
  // In canonical form the last two groups are always hexadecimal.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':')
  const [high, low] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16))
  if (high === undefined || low === undefined) return undefined
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
