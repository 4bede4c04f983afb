import type { Context as HonoContext } from 'hono'
import type { SystemContext } from '#platform/context.ts'
import { ApiError, notLoggedIn } from '#platform/errors.ts'
import { authenticateProgram, requireAllowed } from '#platform/http/authenticate.ts'
import { isForeignPage, originOf } from '#platform/http/origin.ts'
import { billOf } from '#platform/http/rate-limit.ts'
import { failure } from '#platform/http/reply.ts'
import { finish } from '#platform/http/stepping.ts'
import { resourceMetadataPath } from './assistant.ts'
import { identifyByToken } from './authorization/access.pages.ts'
import type { Identified } from './identified.actions.ts'

/**
 * Who sends a request: by `Bearer` with an access token or an API key, or by HTTP Basic with address
 * and API key. The other result is the refusal.
 *
 * @source Model Context Protocol, "Authorization"
 */
export function identify(c: HonoContext, server: SystemContext): Identified | Response {
  try {
    const known = identifyByToken(c, server) ?? identifyByKey(c, server)
    const { caller } = known
    return {
      ...known,
      origin: originOf(server, c),
      finish: (steps) => finish(c, server, steps, () => void caller.requireCurrent(server.store)),
      charge: (calls) => billOf(c).charge(calls),
    }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    return unauthorized(c, server, error)
  }
}

/** @throws UNAUTHORIZED there is no key, or a malformed one; as `authenticateProgram` */
function identifyByKey(c: HonoContext, server: SystemContext) {
  const caller = authenticateProgram(c, server)
  if (!caller) throw notLoggedIn()
  requireAllowed(caller)
  return { caller, assistant: { userId: caller.user.id, name: caller.client, mayWrite: true } }
}

/** @source RFC 6750, section 3; RFC 9728, section 5.1 */
function unauthorized(c: HonoContext, server: SystemContext, error: ApiError): Response {
  const wrong = c.req.header('authorization') === undefined ? '' : 'error="invalid_token", '
  const metadata = `${originOf(server, c)}${resourceMetadataPath}`
  const challenge = `Bearer ${wrong}resource_metadata="${metadata}"`
  const response = failure(c, error)
  response.headers.set('WWW-Authenticate', challenge)
  return response
}

/**
 * Refuses pages of other sites: a site whose name leads to this machine ("DNS rebinding") must not
 * use the server with what a browser here knows.
 *
 * @source Model Context Protocol, "Transports", "Security Warning"
 */
export function refuseForeignPage(c: HonoContext, server: SystemContext): Response | undefined {
  if (!isForeignPage(server, c)) return undefined
  return failure(c, new ApiError('CSRF_FAILED', 'Pages of other sites may not use this endpoint.'))
}
