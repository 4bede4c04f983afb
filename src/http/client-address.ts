import { type BlockList, isIP } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { Context as HonoContext } from 'hono'
import type { Config } from '#config.ts'
import type { Context } from '#context.ts'
import { networkList } from '#outgoing/addresses.ts'

/**
 * The client's network address, for rate limits: the other end of the connection, unless that is a
 * proxy that the operator trusts. Then it is what that proxy says of its own other end, and so on.
 * What comes from anybody else in `X-Forwarded-For` counts for nothing.
 */
export function clientAddress(
  { config }: Pick<Context, 'config'>,
  c: HonoContext<{ Bindings: Partial<HttpBindings> }>,
): string {
  const peer = c.env?.incoming?.socket.remoteAddress ?? 'local'
  const proxies = proxiesOf(config)
  if (!proxies) return peer
  const said = (c.req.header('x-forwarded-for') ?? '').split(',').map((each) => each.trim())
  let address = peer
  while (isTrusted(proxies, address)) {
    const before = said.pop()
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
