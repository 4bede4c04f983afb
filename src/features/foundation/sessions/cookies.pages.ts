import { generateCookie } from 'hono/cookie'
import { sessionCookie } from '#platform/http/authenticate.ts'
import { type NewSession, sessionSeconds } from './queries.ts'

/**
 * The `Set-Cookie` headers of a new session: the token, which scripts cannot read, and the CSRF
 * token, which they must read.
 *
 * @param secure whether clients reach the server by https
 */
export function sessionCookies(session: NewSession, secure: boolean): string[] {
  const options = { path: '/', maxAge: sessionSeconds, sameSite: 'Lax', secure } as const
  return [
    generateCookie(sessionCookie, session.token, { ...options, httpOnly: true }),
    generateCookie('csrftoken', session.csrfToken, options),
  ]
}
