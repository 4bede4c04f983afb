import type { Context as HonoContext } from 'hono'
import type { Context } from '#platform/context.ts'
import { sessionCookies } from './cookies.pages.ts'
import type { NewSession } from './queries.ts'

/** The path of the web client. */
export const homePath = '/'

/** The path of the page that explains how to connect apps; needs a session. */
export const connectPath = '/connect'

/** The paths of the login page and the logout form. */
export const loginPath = '/login/'
export const logoutPath = '/logout/'

/** Where the development organization lets anybody in as anybody. */
export const devLoginPath = '/devlogin'

/** Starts a browser's session and redirects to the web client. */
export function startBrowserSession(
  c: HonoContext,
  server: Context,
  session: NewSession,
): Response {
  const isSecure = server.realmUrl.startsWith('https:')
  for (const cookie of sessionCookies(session, isSecure)) {
    c.header('Set-Cookie', cookie, { append: true })
  }
  return c.redirect(homePath, 303)
}
