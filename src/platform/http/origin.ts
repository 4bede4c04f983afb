import type { Context as HonoContext } from 'hono'
import type { Context } from '#platform/context.ts'
import type { HttpBindings } from './listener.ts'
import { isLoopbackHost, isLoopbackOrigin } from './own-hosts.ts'

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

/**
 * Whether a request comes from a web page that is neither of this server nor of the client's own
 * machine, or names another host although no address is configured: then its name may lead to this
 * machine only for the moment.
 */
export function isForeignPage(server: Pick<Context, 'config' | 'realmUrl'>, c: Request): boolean {
  const own = originOf(server, c)
  const origin = c.req.header('origin')
  if (origin !== undefined && origin !== own && !isLoopbackOrigin(origin)) return true
  const host = c.req.header('host')
  if (server.config.externalUrl !== null || host === undefined) return false
  return host.toLowerCase() !== new URL(own).host
}
