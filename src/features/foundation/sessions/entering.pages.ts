import type { Context as HonoContext } from 'hono'
import { generateCookie, getCookie } from 'hono/cookie'
import type { Context } from '#platform/context.ts'
import { redirect } from '#platform/http/light/reply.ts'
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
 * The cookie with which a browser remembers the identity provider of its log-in, to log out there as
 * well.
 *
 * @param id null: it forgets it
 */
export function providerToRemember(server: Context, id: string | null): string {
  const secure = server.realmUrl.startsWith('https:')
  const maxAge = id === null ? 0 : sessionSeconds
  const options = { path: '/', maxAge, httpOnly: true, sameSite: 'Lax', secure } as const
  return generateCookie(providerCookie, id ?? '', options)
}

/**
 * Starts a browser's session and redirects to the web client.
 *
 * @param next a path to redirect to instead
 */
export function startBrowserSession(
  server: Context,
  session: NewSession,
  next = homePath,
): Response {
  const isSecure = server.realmUrl.startsWith('https:')
  const cookies = sessionCookies(session, isSecure)
  return redirect(
    next,
    303,
    cookies.map((cookie) => ['Set-Cookie', cookie]),
  )
}
