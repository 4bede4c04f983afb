import type { Context as HonoContext } from 'hono'
import { getCookie } from 'hono/cookie'
import { appIn } from '#features/access/accounts/login/otp.ts'
import {
  homePath,
  loginPath,
  startBrowserSession,
} from '#features/foundation/sessions/entering.pages.ts'
import type { Context, SystemContext } from '#platform/context.ts'
import { sessionCookie } from '#platform/http/authenticate.ts'
import { clientAddress } from '#platform/http/client-address.ts'
import { redirect } from '#platform/http/light/reply.ts'
import { originOf } from '#platform/http/origin.ts'
import { pageLanguage } from '#platform/pages/page-language.ts'
import type { Arrival, LoginMeans } from '#platform/store/schema.ts'
import type { CompletedLogin, LoginRequest } from './entering.actions.ts'
import { desktopCodePage } from './views.ts'

/**
 * The destination of a log-in that begins with this request: an app, or the page in `next`, if it
 * is on this server.
 *
 * @returns undefined if the parameters of an app are malformed
 */
export function arrivalOf(c: HonoContext, server: Context): Arrival | undefined {
  const app = appIn((name) => c.req.query(name))
  if (app === 'invalid') return undefined
  return { app, next: nextOf(c, server) }
}

/** In characters; the longest address of a page to return to: one that asks for an assistant. */
const longestNext = 4000

/** The page to show after a log-in: the one in `next`, if it is on this server. */
export function nextOf(c: HonoContext, { realmUrl }: Pick<Context, 'realmUrl'>): string {
  const path = localPath(c.req.query('next') ?? homePath, realmUrl)
  return path.startsWith(loginPath) ? homePath : path
}

/** A path of this server, or else the web client's. @param wanted anything that a client sends */
export function localPath(wanted: string, realmUrl: string): string {
  if (wanted.length > longestNext || !URL.canParse(wanted, realmUrl)) return homePath
  const { origin, pathname, search, hash } = new URL(wanted, realmUrl)
  // The parser resolves `//host` and `\\host`; a path that begins with two slashes is one again.
  if (origin !== new URL(realmUrl).origin || pathname.startsWith('//')) return homePath
  return pathname + search + hash
}

/** @param by the method, for the mail about the log-in */
export function loginRequest(c: HonoContext, server: Context, by: LoginMeans): LoginRequest {
  return {
    address: clientAddress(server, c),
    device: c.req.header('user-agent'),
    by,
    session: getCookie(c, sessionCookie),
  }
}

/**
 * Ends a log-in at its destination. The account is known in the client's network from then on.
 *
 * @source Zulip API, "Mobile and desktop authentication": the members of `zulip://login`
 */
export async function completeEntry(
  c: HonoContext,
  server: SystemContext,
  entry: CompletedLogin,
): Promise<Response> {
  server.rateLimits.guesses.recognise(entry.userId, clientAddress(server, c))
  switch (entry.kind) {
    case 'browser':
      return startBrowserSession(server, entry.session, entry.next)
    case 'mobile': {
      const realm = new URL(originOf(server, c)).origin
      return redirect(`zulip://login?${new URLSearchParams({ ...entry.query, realm })}`)
    }
    case 'desktop':
      return await desktopCodePage(pageLanguage(c, server), entry.code)
  }
}
