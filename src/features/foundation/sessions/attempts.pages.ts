import { randomBytes } from 'node:crypto'
import type { Context as HonoContext } from 'hono'
import { generateCookie, getCookie } from 'hono/cookie'
import type { Context } from '#platform/context.ts'
import { attemptSeconds } from './attempts.queries.ts'

const cookieName = 'parley_login'

/** The secret of a browser in which a log-in has begun; undefined: none has. */
export function knownBrowser(c: HonoContext): string | undefined {
  const known = getCookie(c, cookieName)
  return known !== undefined && /^[0-9a-f]{64}$/.test(known) ? known : undefined
}

/** The secret that ties log-ins to this browser, with the cookie that keeps it there. */
export function browserSecret(
  c: HonoContext,
  { realmUrl }: Pick<Context, 'realmUrl'>,
): { secret: string; cookie: string } {
  const secret = knownBrowser(c) ?? randomBytes(32).toString('hex')
  const secure = realmUrl.startsWith('https:')
  const options = { path: '/', maxAge: attemptSeconds, httpOnly: true, sameSite: 'Lax' } as const
  return { secret, cookie: generateCookie(cookieName, secret, { ...options, secure }) }
}
