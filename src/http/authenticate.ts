import type { Context as HonoContext } from 'hono'
import { getCookie } from 'hono/cookie'
import { botTypes } from '#bots/queries.ts'
import type { Context } from '#context.ts'
import { ApiError, badRequest, missingArgument } from '#errors.ts'
import { sameText } from '#same-text.ts'
import { findUserByAddress, findUserByKey, type User } from '#users/queries.ts'
import { findSession, sessionCookie } from '#users/sessions/queries.ts'
import type { Caller } from './caller.ts'

/**
 * Who sent the request: by HTTP Basic (API or real address, and API key) under `/api/v1`, by the
 * session cookie under `/json`. Undefined when the request carries no credentials at all.
 *
 * @throws UNAUTHORIZED malformed credentials; INVALID_API_KEY unknown user or wrong key
 * @throws USER_DEACTIVATED; CSRF_FAILED a session's write without its token
 */
export function authenticate(c: HonoContext, server: Context): Caller | undefined {
  const user = c.req.path.startsWith('/json/') ? sessionUser(c, server) : basicUser(c, server)
  if (!user) return undefined
  if (!user.isActive) throw new ApiError('USER_DEACTIVATED', 'Account is deactivated')
  return { user, store: server.store, server, client: clientName(c) }
}

/**
 * Who sent the request, by the API key in its address: for programs that can send no credentials.
 *
 * @throws REQUEST_VARIABLE_MISSING; INVALID_API_KEY; USER_DEACTIVATED
 */
export function authenticateByKey(c: HonoContext, server: Context): Caller {
  const key = c.req.query('api_key')
  if (key === undefined) throw missingArgument('api_key')
  const user = findUserByKey(server.store, key)
  if (!user) throw new ApiError('INVALID_API_KEY', 'Invalid API key')
  if (!user.isActive) throw new ApiError('USER_DEACTIVATED', 'Account is deactivated')
  return { user, store: server.store, server, client: clientName(c) }
}

/** @throws BAD_REQUEST an incoming webhook bot, which may do nothing but write */
export function requireAllowed({ user }: Caller, forWebhookBots = false): void {
  if (forWebhookBots || user.botType !== botTypes.incomingWebhook) return
  throw badRequest('This API is not available to incoming webhook bots.')
}

/**
 * Who sent a request for a file, outside the API: by HTTP Basic, by the API key in the address, as
 * programs ask that can set no header, or by the session cookie.
 *
 * @throws as `authenticate` and `authenticateByKey`
 */
export function authenticateReader(c: HonoContext, server: Context): Caller | undefined {
  if (c.req.header('authorization') === undefined && c.req.query('api_key') !== undefined) {
    return authenticateByKey(c, server)
  }
  const user = basicUser(c, server) ?? sessionUser(c, server)
  if (!user) return undefined
  if (!user.isActive) throw new ApiError('USER_DEACTIVATED', 'Account is deactivated')
  return { user, store: server.store, server, client: clientName(c) }
}

/** The answer to a request without credentials where they are needed. */
export function notLoggedIn(): ApiError {
  return new ApiError('UNAUTHORIZED', 'Not logged in: API authentication or user session required')
}

function basicUser(c: HonoContext, server: Context): User | undefined {
  const header = c.req.header('authorization')
  if (header === undefined) return undefined
  const [scheme, encoded] = header.split(' ')
  if (scheme?.toLowerCase() !== 'basic' || !encoded || !/^[\w+/-]+=*$/.test(encoded)) {
    throw new ApiError('UNAUTHORIZED', 'This endpoint requires HTTP basic authentication.')
  }
  const credentials = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = credentials.lastIndexOf(':')
  if (colon < 0) throw new ApiError('UNAUTHORIZED', 'Invalid authorization header for basic auth')
  const user = findUserByAddress(server.store, credentials.slice(0, colon))
  if (!user || !sameText(user.apiKey, credentials.slice(colon + 1))) {
    throw new ApiError('INVALID_API_KEY', 'Invalid API key')
  }
  return user
}

function sessionUser(c: HonoContext, server: Context): User | undefined {
  const token = getCookie(c, sessionCookie)
  const session = token && findSession(server.store, token, server.clock)
  if (!session) return undefined
  const safe = c.req.method === 'GET' || c.req.method === 'HEAD'
  if (!safe && !sameText(session.csrfToken, c.req.header('x-csrftoken') ?? '')) {
    throw new ApiError('CSRF_FAILED', 'CSRF error: the X-CSRFToken header is missing or wrong.')
  }
  return session.user
}

/** The product name of the User-Agent header: `ZulipFlutter/30.0 (Android 14)` is `ZulipFlutter`. */
function clientName(c: HonoContext): string {
  const product = /^[\w.-]{1,60}/.exec(c.req.header('user-agent') ?? '')
  if (product) return product[0]
  return c.req.path.startsWith('/json/') ? 'website' : 'Unspecified'
}
