import type { Context as HonoContext } from 'hono'
import { constantTimeEqual } from '#platform/constant-time.ts'
import type { Context } from '#platform/context.ts'
import { clientAddress } from './client-address.ts'
import type { HttpBindings } from './listener.ts'
import { isLoopbackHost } from './own-hosts.ts'

/** Headers by which a proxy shows that it is one. */
const forwarding = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

/**
 * Whether a request may see how the server is doing: with the token of `Config.inspectionToken`, or
 * from this machine. The latter only counts while nothing suggests a proxy, which would ask for
 * everyone: `externalUrl`, `trustedProxies`, or the headers of a proxy.
 */
export function mayInspect(
  server: Context,
  c: HonoContext<{ Bindings: Partial<HttpBindings> }>,
): boolean {
  const { inspectionToken, externalUrl, trustedProxies, behindSocket } = server.config
  const given = c.req.header('authorization')
  if (given !== undefined) {
    if (inspectionToken !== null && constantTimeEqual(given, `Bearer ${inspectionToken}`))
      return true
    server.rateLimits.guesses.wrongKey(given, clientAddress(server, c))
    return false
  }
  if (externalUrl !== null || trustedProxies.length > 0 || behindSocket) return false
  const peer = c.env?.incoming?.socket.remoteAddress ?? ''
  if (!/^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(peer)) return false
  if (!isLoopbackHost(c.req.header('host') ?? '')) return false
  return forwarding.every((name) => c.req.header(name) === undefined)
}
