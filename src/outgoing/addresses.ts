import { BlockList, isIP } from 'node:net'

/** IPv4 networks that are not on the public internet. @source IANA, special-purpose addresses */
const reserved4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12
  192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24
  203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`
/** Of IPv6 only this is public, but for the networks below. */
const global6 = '2000::/3'
const reserved6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20'
/** Stand for IPv4 addresses, in their last 32 bits. */
const mapped = '::ffff:0:0/96'
const translated = '64:ff9b::/96'

const reserved = networkList(`${reserved4} ${reserved6}`)
const global = networkList(global6)
const embedding = networkList(`${mapped} ${translated}`)

/**
 * Networks, each as `address/bits` or a single address, in a list of any separators.
 *
 * @throws RangeError for what is no network
 */
export function networkList(source: string): BlockList {
  const list = new BlockList()
  for (const network of source.split(/[\s,]+/).filter(Boolean)) {
    const [address = '', bits] = network.split('/')
    const version = isIP(address)
    const length = bits === undefined ? (version === 6 ? 128 : 32) : Number(bits)
    const most = version === 6 ? 128 : 32
    if (version === 0 || !Number.isInteger(length) || length < 0 || length > most) {
      throw new RangeError(`This is no network: ${network}`)
    }
    list.addSubnet(address, length, version === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}

/**
 * Whether the server may connect to an address: those of the public internet, and what the operator
 * allows besides. Loopback, private and link-local networks, cloud metadata, multicast and
 * everything that only stands for such an address are none of it.
 *
 * @param address IPv4 or IPv6, without brackets; with a zone it is never allowed
 */
export function mayConnect(address: string, allowed: BlockList): boolean {
  const version = isIP(address)
  if (version === 0 || address.includes('%')) return false
  if (version === 4) {
    return allowed.check(address, 'ipv4') || !reserved.check(address, 'ipv4')
  }
  if (allowed.check(address, 'ipv6')) return true
  const inner = embeddedAddress(address)
  if (inner !== undefined) return mayConnect(inner, allowed)
  return global.check(address, 'ipv6') && !reserved.check(address, 'ipv6')
}

function embeddedAddress(address: string): string | undefined {
  if (!embedding.check(address, 'ipv6')) return undefined
  // In its canonical form the last two groups are hexadecimal, however it was written.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':')
  const [high, low] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16))
  if (high === undefined || low === undefined) return undefined
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
