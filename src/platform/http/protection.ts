import type { Context as HonoContext } from 'hono'
import type { Context } from '#platform/context.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import type { HttpBindings } from './listener.ts'
import { isLoopbackHost, isLoopbackOrigin } from './own-hosts.ts'
import { billOf } from './rate-limit.ts'

type Headers = Readonly<Record<string, string>>

/** The headers of the responses to one request. */
export interface Protection {
  /** On every response. */
  readonly always: Headers
  /** On every response of `/api`, so that web apps can read it. */
  readonly api: Headers
}

const key = 'protection'

export function protectionOf(c: HonoContext): Protection {
  return c.get(key) as Protection
}

/** Half a year, in seconds. */
const hstsSeconds = 15_768_000

/**
 * Returns the function that determines a request's protection.
 *
 * It returns an error if only this machine may use the server (`Config.localOnly`) and the request
 * names another host or comes from a web page of another host: everyone knows the keys of the
 * development organization, so a page that a developer visits must not reach it, even if its own
 * host name resolves to 127.0.0.1 ("DNS rebinding").
 *
 * @source RFC 6797, section 7.1, "HTTP-over-Secure-Transport Request Type"
 * @source WHATWG Fetch, "CORS protocol" and "`X-Content-Type-Options` header"
 */
export function createProtection({ config }: Context): (c: HonoContext) => ApiError | undefined {
  const always = {
    'X-Content-Type-Options': 'nosniff',
    ...(config.externalUrl?.startsWith('https:') && {
      'Strict-Transport-Security': `max-age=${hstsSeconds}`,
    }),
  }
  const open: Protection = { always, api: forOrigin('*') }
  const closed: Protection = { always, api: {} }
  return (c) => {
    if (!config.localOnly) {
      c.set(key, open)
      return undefined
    }
    c.set(key, closed)
    const origin = c.req.header('origin')
    const refusal = otherHost(c, origin)
    if (origin !== undefined && !refusal) {
      c.set(key, { always, api: { ...forOrigin(origin), Vary: 'Origin' } })
    }
    return refusal
  }
}

/** @returns BAD_REQUEST another host; CSRF_FAILED a web page of another host */
function otherHost(
  c: HonoContext<{ Bindings: Partial<HttpBindings> }>,
  origin: string | undefined,
): ApiError | undefined {
  // Requests of an embedding program come without a socket, with any address.
  if (!c.env?.incoming) return undefined
  const host = c.req.header('host') ?? ''
  if (!isLoopbackHost(host)) {
    return badRequest(
      'The development organization answers only to localhost, unless it runs with --expose.',
    )
  }
  if (origin !== undefined && !isLoopbackOrigin(origin)) {
    return new ApiError(
      'CSRF_FAILED',
      'The development organization is closed to web pages of other sites, unless it runs with --expose.',
    )
  }
  return undefined
}

/** Web apps of this origin may use `/api`, which ignores cookies. */
function forOrigin(origin: string): Headers {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers':
      'Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id',
  }
}

/**
 * Adds what is missing to a response that `replyJson` did not make, such as a page or a file.
 * Without a header for caching, it is not cached.
 */
export function protect(c: HonoContext): void {
  const { always, api } = protectionOf(c)
  const { headers } = c.res
  const more = { ...always, ...billOf(c).headers() }
  for (const [name, value] of Object.entries(more)) headers.set(name, value)
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
  if (headers.get('Access-Control-Allow-Origin') !== '*') return
  const allowed = api['Access-Control-Allow-Origin']
  if (allowed === undefined) headers.delete('Access-Control-Allow-Origin')
  else headers.set('Access-Control-Allow-Origin', allowed)
}
