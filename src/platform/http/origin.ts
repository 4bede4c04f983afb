import type { HttpBindings } from '@hono/node-server'
import type { Context as HonoContext } from 'hono'
import type { Context } from '#platform/context.ts'
import { isLoopbackHost } from './own-hosts.ts'

type Request = Pick<HonoContext<{ Bindings: Partial<HttpBindings> }>, 'req' | 'env'>

/**
 * The scheme, host and port of the server for this client: `Config.externalUrl`, or else an address
 * of the machine that the request came to. A client chooses its `Host` header freely, so without
 * `externalUrl` it counts only if it names this machine: a loopback name, or the IP address at
 * which the connection arrived. Otherwise it is the address the server listens on.
 *
 * @source RFC 9110, section 7.2, "Host and :authority"
 */
export function originOf(
  { config, realmUrl }: Pick<Context, 'config' | 'realmUrl'>,
  c: Request,
): string {
  if (config.externalUrl !== null) return config.externalUrl
  const host = c.req.header('host') ?? ''
  if (!isLoopbackHost(host) && host !== arrivedAt(c)) return realmUrl
  return `${new URL(realmUrl).protocol}//${host}`
}

/** The address and port at which the connection of a request arrived. */
function arrivedAt(c: Request): string | undefined {
  const { localAddress, localPort } = c.env?.incoming?.socket ?? {}
  if (localAddress === undefined) return undefined
  const address = localAddress.replace(/^::ffff:(?=\d+\.)/i, '')
  return `${address.includes(':') ? `[${address}]` : address}:${localPort}`
}
