import type { Context as HonoContext } from 'hono'
import type { Context } from '#context.ts'
import { sessionCookies } from '#users/login/cookies.ts'
import type { NewSession } from '#users/sessions/queries.ts'
import { siteOf } from './guard.ts'

/** Where somebody who is logged in reads how to connect apps. */
export const connectPath = '/connect'

/** Where somebody logs in with a browser, and out. */
export const loginPath = '/login/'
export const logoutPath = '/logout/'

/** Sends a browser that has just logged in on to its first page. */
export function enter(c: HonoContext, server: Context, session: NewSession): Response {
  const isSecure = siteOf(c, server).startsWith('https:')
  for (const cookie of sessionCookies(session, isSecure)) {
    c.header('Set-Cookie', cookie, { append: true })
  }
  return c.redirect(connectPath, 303)
}
