import type { Context as HonoContext } from 'hono'
import { getCookie } from 'hono/cookie'
import { constantTimeEqual } from '#platform/constant-time.ts'
import type { Context, SystemContext } from '#platform/context.ts'
import { ApiError, badRequest, missingArgument, notLoggedIn } from '#platform/errors.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import { botTypes, type User } from '#platform/store/schema.ts'
import { sentSentence } from '#translations/translate.ts'
import { type Caller, createCaller, requireActive } from './caller.ts'
import { clientAddress } from './client-address.ts'
import type { Credential } from './credential.ts'
import type { RenewedSession } from './directory.ts'
import type { Account } from './guesses.ts'
import { openAccountBill, openPacedBill } from './pacing.ts'

/** The name of the cookie that holds the session token. */
export const sessionCookie = 'sessionid'

/**
 * Authenticates a request: by HTTP Basic (API or real email address, and API key) under `/api/v1`,
 * by the session cookie under `/json`. Returns undefined if the request has no credentials.
 *
 * @throws UNAUTHORIZED malformed credentials; INVALID_API_KEY unknown user or wrong key
 * @throws USER_DEACTIVATED; CSRF_FAILED a write with a session but without its CSRF token
 * @throws RATE_LIMIT_HIT the account has made too many calls, or the client sent too many wrong keys
 */
export function authenticate(c: HonoContext, server: SystemContext): Caller | undefined {
  const isBrowser = c.req.path.startsWith('/json/')
  const credential = isBrowser ? sessionWithToken(c, server) : basicKey(c, server)
  return credential && authenticateBy(c, server, credential)
}

/**
 * Authenticates a request by the API key in its URL, for programs that cannot set headers, or else
 * by HTTP Basic.
 *
 * @throws REQUEST_VARIABLE_MISSING; INVALID_API_KEY; USER_DEACTIVATED; RATE_LIMIT_HIT
 * @throws UNAUTHORIZED malformed credentials
 */
export function authenticateByKey(c: HonoContext, server: SystemContext): Caller {
  const key = c.req.query('api_key')
  if (key === undefined) {
    const credential = basicKey(c, server)
    if (!credential) throw missingArgument('api_key')
    return authenticateBy(c, server, credential)
  }
  const user = server.directory.findUserByKey(server.store, key)
  if (!user) throw countedWrong(c, server, key)
  return authenticateBy(c, server, apiKey(server, user.id, key))
}

/**
 * Authenticates a request of a program outside the API: by `Bearer` with an API key, or by HTTP
 * Basic.
 *
 * @throws as `authenticate`
 */
export function authenticateProgram(c: HonoContext, server: SystemContext): Caller | undefined {
  const bearer = /^bearer +([\w.~+/-]+=*) *$/i.exec(c.req.header('authorization') ?? '')?.[1]
  if (bearer === undefined) {
    const credential = basicKey(c, server)
    return credential && authenticateBy(c, server, credential)
  }
  const user = server.directory.findUserByKey(server.store, bearer)
  if (!user) throw countedWrong(c, server, bearer)
  return authenticateBy(c, server, apiKey(server, user.id, bearer))
}

/** @throws BAD_REQUEST the caller is an incoming webhook bot, which may only send messages */
export function requireAllowed({ user }: Caller, forWebhookBots = false): void {
  if (forWebhookBots || user.botType !== botTypes.incomingWebhook) return
  throw badRequest(sentSentence('This API is not available to incoming webhook bots.'))
}

/**
 * Authenticates a request for a file outside the API: by HTTP Basic, by the API key in the URL (for
 * programs that cannot set headers), or by the session cookie.
 *
 * @throws as `authenticate` and `authenticateByKey`
 */
export function authenticateReader(c: HonoContext, server: SystemContext): Caller | undefined {
  if (c.req.header('authorization') === undefined && c.req.query('api_key') !== undefined) {
    return authenticateByKey(c, server)
  }
  const credential = basicKey(c, server) ?? sessionWithToken(c, server)
  return credential && authenticateBy(c, server, credential)
}

/**
 * Authenticates a request for a page by its session cookie. Undefined without a valid session; the
 * page's forms carry their own protection against CSRF.
 */
export function authenticateBrowser(c: HonoContext, server: SystemContext): Caller | undefined {
  const credential = session(c, server)
  return credential?.findUser(server.store)?.isActive
    ? authenticateBy(c, server, credential)
    : undefined
}

/**
 * Authenticates a request by a credential. The account that acts is charged, whatever it is.
 *
 * @throws RATE_LIMIT_HIT; as `requireActive`
 */
export function authenticateBy(
  c: HonoContext,
  server: SystemContext,
  credential: Credential,
): Caller {
  const user = requireActive(credential, server.store)
  server.rateLimits.guesses.recognise(user.id, clientAddress(server, c))
  const bill = openAccountBill(c, server, user)
  return createCaller(server, user, clientName(c), credential, bill)
}

/** The key of HTTP Basic. @throws UNAUTHORIZED; INVALID_API_KEY; RATE_LIMIT_HIT */
function basicKey(c: HonoContext, server: SystemContext): Credential | undefined {
  const header = c.req.header('authorization')
  if (header === undefined) return undefined
  const known = rightKeys(server.store)
  const right = known.get(header)
  if (right) {
    // Whatever changes in an account, its address or key among it, makes another object.
    if (server.directory.findUser(server.store, right.user.id) === right.user) {
      return right.credential
    }
    known.delete(header)
  }
  const [scheme, encoded] = header.split(' ')
  if (scheme?.toLowerCase() !== 'basic' || !encoded || !/^[\w+/-]+=*$/.test(encoded)) {
    throw new ApiError('UNAUTHORIZED', 'This endpoint requires HTTP basic authentication.')
  }
  const credentials = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = credentials.lastIndexOf(':')
  if (colon < 0) throw new ApiError('UNAUTHORIZED', 'Invalid authorization header for basic auth')
  const [address, key] = [credentials.slice(0, colon), credentials.slice(colon + 1)]
  const user = server.directory.findUserByAddress(server.store, address)
  if (!user || !constantTimeEqual(user.apiKey, key))
    throw countedWrong(c, server, key, user?.id ?? address)
  const credential = apiKey(server, user.id, key)
  if (header.length <= longestKnown) {
    if (known.size >= mostRightKeys) known.clear()
    known.set(header, { user, credential })
  }
  return credential
}

/** A header that was right: clients send the same with each poll. */
interface RightKey {
  /** The account as it was then. */
  readonly user: User
  readonly credential: Credential
}

/** How many are remembered, each of so many characters at most: about 8 MB. */
const mostRightKeys = 20_000
const longestKnown = 300

const rightKeys = perDatabase(() => new Map<string, RightKey>())

function apiKey({ directory }: Context, userId: number, key: string): Credential {
  /** The stored key that was found to be the same: it rarely changes until the next check. */
  let same: string | undefined
  return {
    kind: 'key',
    findUser(read) {
      const user = directory.findUser(read, userId)
      if (!user) return undefined
      if (user.apiKey !== same) {
        if (!constantTimeEqual(user.apiKey, key)) return undefined
        same = user.apiKey
      }
      return user
    },
    refusal: wrongKey,
  }
}

/** The error for a wrong key, which counts as a guess. @throws RATE_LIMIT_HIT */
function countedWrong(c: HonoContext, server: Context, key: string, account?: Account): ApiError {
  const address = clientAddress(server, c)
  openPacedBill(c, server, 'anonymous', address)
  server.rateLimits.guesses.wrongKey(key, address, account)
  return wrongKey()
}

function wrongKey(): ApiError {
  return new ApiError('INVALID_API_KEY', sentSentence('Invalid API key'))
}

/** The session of a cookie, if there is one. @throws CSRF_FAILED */
function sessionWithToken(c: HonoContext, server: SystemContext): Credential | undefined {
  const credential = session(c, server)
  const safe = c.req.method === 'GET' || c.req.method === 'HEAD'
  if (
    credential &&
    !safe &&
    !constantTimeEqual(credential.csrfToken, c.req.header('x-csrftoken') ?? '')
  ) {
    throw new ApiError(
      'CSRF_FAILED',
      sentSentence('CSRF error: the X-CSRFToken header is missing or wrong.'),
    )
  }
  return credential
}

function session(
  c: HonoContext,
  { directory, store }: SystemContext,
): (Credential & { readonly csrfToken: string }) | undefined {
  const token = getCookie(c, sessionCookie)
  const found = token ? directory.findSession(store, token) : undefined
  if (!token || !found) return undefined
  if (found.isAging) c.set(agingSession, { token, csrfToken: found.csrfToken })
  return {
    kind: 'session',
    sessionId: found.id,
    csrfToken: found.csrfToken,
    findUser: (read) => directory.findSession(read, token)?.user,
    refusal: notLoggedIn,
  }
}

const agingSession = 'aging session'

/**
 * Extends the session that a request used, at most once a day, and lets the browser keep its
 * cookies as long, so that an active user stays logged in. Called once the response is made, for a
 * session that the request ended is extended no more.
 *
 * @returns undefined if there is nothing to do
 */
export function renewSession(c: HonoContext, server: SystemContext): Promise<void> | undefined {
  const session = c.get(agingSession) as RenewedSession | undefined
  return session && renew(c, server, session)
}

async function renew(
  c: HonoContext,
  server: SystemContext,
  session: RenewedSession,
): Promise<void> {
  const { directory, log, realmUrl, store } = server
  try {
    const isSecure = realmUrl.startsWith('https:')
    const cookies = await store.write((tx) =>
      directory.findSession(tx, session.token) ? directory.renewSession(tx, session, isSecure) : [],
    )
    for (const cookie of cookies) c.res.headers.append('Set-Cookie', cookie)
  } catch (error) {
    // The request itself was answered; another one extends the session.
    log.error({ err: error }, 'a session could not be extended')
  }
}

/** The User-Agent's product name: `ZulipFlutter` for `ZulipFlutter/30.0 (Android 14)`. */
function clientName(c: HonoContext): string {
  const product = /^[\w.-]{1,60}/.exec(c.req.header('user-agent') ?? '')
  if (product) return product[0]
  return c.req.path.startsWith('/json/') ? 'website' : 'Unspecified'
}
