import { type BlockList, isIP } from 'node:net'
import type { Context as HonoContext } from 'hono'
import type { Config } from '#platform/config.ts'
import type { Context } from '#platform/context.ts'
import { networkList } from '#platform/outgoing/addresses.ts'
import type { HttpBindings } from './listener.ts'

/**
 * The client's IP address, for rate limits: the peer of the connection or, if that is a trusted
 * proxy or a Unix socket, the last entry of `X-Forwarded-For` that is not one. Entries that an untrusted peer could
 * have forged are ignored.
 */
export function clientAddress(
  { config }: Pick<Context, 'config'>,
  c: HonoContext<{ Bindings: Partial<HttpBindings> }>,
): string {
  const peer = c.env?.incoming?.socket.remoteAddress ?? 'local'
  const proxies = proxiesOf(config)
  if (!proxies && !config.behindSocket) return peer
  const forwarded = (c.req.header('x-forwarded-for') ?? '').split(',').map((each) => each.trim())
  // Anyone who can open the socket is a trusted proxy.
  const isProxy = (from: string) =>
    (config.behindSocket && from === 'local') || (proxies !== undefined && isTrusted(proxies, from))
  let address = peer
  while (isProxy(address)) {
    const before = forwarded.pop()
    if (before === undefined || isIP(before) === 0) break
    address = before
  }
  return address
}

function isTrusted(proxies: BlockList, address: string): boolean {
  const version = isIP(address)
  return version !== 0 && proxies.check(address, version === 6 ? 'ipv6' : 'ipv4')
}

const known = new WeakMap<Config, BlockList>()

function proxiesOf(config: Config): BlockList | undefined {
  if (config.trustedProxies.length === 0) return undefined
  const list = known.get(config) ?? networkList(config.trustedProxies.join(' '))
  known.set(config, list)
  return list
}
