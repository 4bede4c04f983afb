import type { Context as HonoContext } from 'hono'
import { getCookie } from 'hono/cookie'
import { findRealm, requireRealm } from '#features/foundation/realm/queries.ts'
import { loginPath } from '#features/foundation/sessions/entering.pages.ts'
import { findSession } from '#features/foundation/sessions/queries.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { constantTimeEqual } from '#platform/constant-time.ts'
import type { SystemContext } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import { authenticateBrowser, sessionCookie } from '#platform/http/authenticate.ts'
import type { Caller } from '#platform/http/caller.ts'
import { clientAddress } from '#platform/http/client-address.ts'
import { redirect } from '#platform/http/light/reply.ts'
import type { App } from '#platform/http/mount.ts'
import { originOf } from '#platform/http/origin.ts'
import { openBill } from '#platform/http/rate-limit.ts'
import { readInput } from '#platform/http/request.ts'
import { notOwn } from '#platform/pages/form-guard.ts'
import { withFormTarget } from '#platform/pages/html.ts'
import { pageLanguage } from '#platform/pages/page-language.ts'
import type { Sentence } from '#translations/translate.ts'
import {
  allow,
  type Request,
  type Requester,
  requireRequest,
  requireRequester,
} from './consent.actions.ts'
import { paths, resourceAt } from './metadata.json.ts'
import { OAuthError } from './oauth-error.ts'
import { formTarget, shownTarget, withParams } from './redirects.ts'
import { mayConnect, requireConnect } from './rules.ts'
import type { Asked } from './tokens.actions.ts'
import { brokenPage, consentPage, refusedPage } from './views.ts'

/** In bytes; ample for the form. */
const bodyLimit = 16 * 1024

/** The parameters of a request. They are kept while the person logs in. */
const kept = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
] as const

/** The page where people let an assistant act for them, or do not. */
export function mountConsent(app: App, server: SystemContext): void {
  app.on(['GET', 'POST'], paths.authorize, async (c) => {
    if (!findRealm(server.store)) return redirect('/')
    openBill(c, server.rateLimits.bill('anonymous', clientAddress(server, c)))
    const { params } = await readInput(c, {}, bodyLimit)
    const asked: Asked = (name) => params.get(name) || undefined
    try {
      return await ask(c, server, requireRequester(server.store, asked), asked)
    } catch (error) {
      if (error instanceof OAuthError) return await brokenPage(pageLanguage(c, server))
      throw error
    }
  })
}

/** Replies to a program whose address is known: errors go there. */
async function ask(
  c: HonoContext,
  server: SystemContext,
  requester: Requester,
  asked: Asked,
): Promise<Response> {
  try {
    const request = requireRequest(requester, asked, resourceAt(originOf(server, c)))
    const address = addressOf(asked)
    const caller = authenticateBrowser(c, server)
    if (!caller) return redirect(`${loginPath}?${new URLSearchParams({ next: address })}`, 303)
    if (!mayConnect(server.store, caller.user)) {
      const back = replyAddress(c, server, requester, { error: 'access_denied' })
      return await refusedPage(pageLanguage(c, server), back)
    }
    const page = { c, server, request, address, user: caller.user }
    if (c.req.method === 'GET') return await show(page)
    if (!isOwnForm(c, server, asked('form'))) return await show(page, notOwn)
    if (asked('decision') !== 'allow') throw new OAuthError('access_denied', 'The person refused.')
    const code = await decide(caller, request, asked('access') === 'write')
    if (code instanceof ApiError) return await show(page, code.sentence)
    return redirect(replyAddress(c, server, requester, { code }), 303)
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    const { code, message } = error
    return redirect(
      replyAddress(c, server, requester, { error: code, error_description: message }),
      303,
    )
  }
}

/** @returns a code, or why there can be none @throws OAuthError */
async function decide(
  caller: Caller,
  request: Request,
  mayWrite: boolean,
): Promise<string | ApiError> {
  try {
    return await caller.store.write((tx, user) => {
      requireConnect(tx, user)
      return allow(tx, user, request, mayWrite)
    })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'BAD_REQUEST') return error
    throw error
  }
}

/** Where the browser goes with the reply. @source RFC 6749, section 4.1.2; RFC 9207, section 2 */
function replyAddress(
  c: HonoContext,
  server: SystemContext,
  { redirectUri, state }: Requester,
  params: Readonly<Record<string, string>>,
): string {
  return withParams(redirectUri, { ...params, state, iss: originOf(server, c) })
}

function addressOf(asked: Asked): string {
  const pairs = kept.map((name) => [name, asked(name) ?? ''] as const)
  const given = pairs.filter(([, value]) => value !== '').map(([name, value]) => [name, value])
  return `${paths.authorize}?${new URLSearchParams(given)}`
}

/** Whether a form is from the page that this session was shown. */
function isOwnForm(c: HonoContext, server: SystemContext, token = ''): boolean {
  return constantTimeEqual(sessionOf(c, server)?.csrfToken ?? '', token) && token !== ''
}

const sessionOf = (c: HonoContext, { store, clock }: SystemContext) =>
  findSession(store, getCookie(c, sessionCookie) ?? '', clock)

interface Page {
  readonly c: HonoContext
  readonly server: SystemContext
  readonly request: Request
  readonly address: string
  readonly user: User
}

async function show(page: Page, problem?: Sentence): Promise<Response> {
  const { c, server, request, address, user } = page
  const { client, redirectUri, wantsWrite } = request
  const response = await consentPage({
    language: pageLanguage(c, server),
    address,
    token: sessionOf(c, server)?.csrfToken ?? '',
    name: client.name,
    target: shownTarget(redirectUri),
    wantsWrite,
    user,
    organization: requireRealm(server.store).name,
    problem,
  })
  return withFormTarget(response, formTarget(redirectUri))
}
