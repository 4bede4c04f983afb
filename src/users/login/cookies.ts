import { type NewSession, sessionCookie, sessionSeconds } from '#users/sessions/queries.ts'

/**
 * The `Set-Cookie` headers of a new session: the token, for the browser alone, and the CSRF token,
 * which the page must be able to read.
 *
 * @param secure whether the server is reached by https
 */
export function sessionCookies(session: NewSession, secure: boolean): string[] {
  const rest = `Path=/; Max-Age=${sessionSeconds}; SameSite=Lax${secure ? '; Secure' : ''}`
  return [
    `${sessionCookie}=${session.token}; HttpOnly; ${rest}`,
    `csrftoken=${session.csrfToken}; ${rest}`,
  ]
}
