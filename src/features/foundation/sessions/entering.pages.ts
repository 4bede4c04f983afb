import type { Context as HonoContext } from 'hono'
import { generateCookie, getCookie } from 'hono/cookie'
import type { Context } from '#platform/context.ts'
import { sessionCookies } from './cookies.pages.ts'
import { type NewSession, sessionSeconds } from './queries.ts'

/** The path of the web client. */
export const homePath = '/'

/** The path of the page that explains how to connect apps; needs a session. */
export const connectPath = '/connect'

/** The paths of the login page and the logout form. */
export const loginPath = '/login/'
export const logoutPath = '/logout/'

/** The path where an app begins a log-in with all steps of the log-in page. */
export const browserLoginPath = '/accounts/login/browser'

/** The path where anyone can log in to the development organization as anyone. */
export const devLoginPath = '/devlogin'

const providerCookie = 'parley_provider'

/** The ID of the identity provider of this browser's last log-in. */
export function lastProvider(c: HonoContext): string | undefined {
  return getCookie(c, providerCookie)
}

/**
 * Remembers the identity provider of this browser's log-in, to log out there as well.
 *
 * @param id null: forget it
 */
export function rememberProvider(c: HonoContext, server: Context, id: string | null): void {
  const secure = server.realmUrl.startsWith('https:')
  const maxAge = id === null ? 0 : sessionSeconds
  const options = { path: '/', maxAge, httpOnly: true, sameSite: 'Lax', secure } as const
  c.header('Set-Cookie', generateCookie(providerCookie, id ?? '', options), { append: true })
}

/**
 * Starts a browser's session and redirects to the web client.
 *
 * @param next a path to redirect to instead
 */
export function startBrowserSession(
  c: HonoContext,
  server: Context,
  session: NewSession,
  next = homePath,
): Response {
  const isSecure = server.realmUrl.startsWith('https:')
  for (const cookie of sessionCookies(session, isSecure)) {
    c.header('Set-Cookie', cookie, { append: true })
  }
  return c.redirect(next, 303)
}
