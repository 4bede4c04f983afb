import type { Context as HonoContext } from 'hono'
import { getCookie } from 'hono/cookie'
import { checkPassword, requireSame } from '#features/access/accounts/login/actions.ts'
import { type CompletedLogin, enter } from '#features/access/accounts/login/entering.actions.ts'
import {
  arrivalOf,
  completeEntry,
  loginRequest,
} from '#features/access/accounts/login/entering.pages.ts'
import { countCode } from '#features/access/accounts/login/second-step.pages.ts'
import { overPage } from '#features/access/accounts/login/second-step.views.ts'
import { wrongAppPage } from '#features/access/accounts/login/views.ts'
import { useCode } from '#features/access/two-factor/actions.ts'
import { hasSecondFactor } from '#features/access/two-factor/rules.ts'
import {
  endSessionUrl,
  finishHandshake,
  ProviderFailure,
  startHandshake,
} from '#features/foundation/identity-providers/oidc.actions.ts'
import {
  callbackPathOf,
  logInPathOf,
  logOutPathOf,
  signUpPathOf,
} from '#features/foundation/identity-providers/paths.ts'
import { findProvider } from '#features/foundation/identity-providers/queries.ts'
import { findRealm } from '#features/foundation/realm/queries.ts'
import { browserSecret, knownBrowser } from '#features/foundation/sessions/attempts.pages.ts'
import { deleteAttempt, findAttempt } from '#features/foundation/sessions/attempts.queries.ts'
import { openBeginning, sealBeginning } from '#features/foundation/sessions/beginnings.queries.ts'
import { loginPath, providerToRemember } from '#features/foundation/sessions/entering.pages.ts'
import { findSession } from '#features/foundation/sessions/queries.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import type { IdentityProvider } from '#platform/config.ts'
import type { SystemContext } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import { sessionCookie } from '#platform/http/authenticate.ts'
import { clientAddress } from '#platform/http/client-address.ts'
import { redirect } from '#platform/http/light/reply.ts'
import type { App } from '#platform/http/mount.ts'
import { readInput } from '#platform/http/request.ts'
import { createFormGuard, type FormGuard, notOwn, tooManyPage } from '#platform/pages/form-guard.ts'
import { pageLanguage } from '#platform/pages/page-language.ts'
import type { Read } from '#platform/store/store.ts'
import { type Sentence, sentence } from '#translations/translate.ts'
import { enterByProvider, link, type ProviderLogin } from './actions.ts'
import {
  confirmPage,
  failedPage,
  invalidPage,
  linkPath,
  noProviderPage,
  refusedPage,
} from './views.ts'

/** In bytes; ample for the form. */
const bodyLimit = 16 * 1024

/** The log-in with the accounts of OpenID Connect providers. */
export function mountSingleSignOn(app: App, server: SystemContext): void {
  const guard = createFormGuard(server)
  const beginnings = [
    [logInPathOf(':provider'), false],
    [signUpPathOf(':provider'), true],
  ] as const
  for (const [path, isSignup] of beginnings) {
    for (const each of [path, `${path}/`]) {
      app.get(each, async (c) => await begin(c, server, guard, isSignup))
    }
  }
  app.get(callbackPathOf(':provider'), async (c) => await comeBack(c, server, guard))
  // Only by a form of this site, so that no other site can log anyone out.
  app.get(logOutPathOf(':provider'), () => redirect(loginPath))
  app.post(logOutPathOf(':provider'), async (c) => await leave(c, server, guard))
  app.post(linkPath, async (c) => await confirmLink(c, server, guard))
}

function providerOf(c: HonoContext, { store }: SystemContext): IdentityProvider | undefined {
  if (!findRealm(store)) return undefined
  return findProvider(store, c.req.param('provider') ?? '')
}

/** Sends the browser to the provider. */
async function begin(
  c: HonoContext,
  server: SystemContext,
  guard: FormGuard,
  isSignup: boolean,
): Promise<Response> {
  const provider = providerOf(c, server)
  if (!provider) return await noProviderPage(pageLanguage(c, server))
  const arrival = arrivalOf(c, server)
  if (!arrival) return await wrongAppPage(pageLanguage(c, server))
  const refusal = await guard.tooMany(c, 'login')
  if (refusal) return refusal
  try {
    const browser = browserSecret(c, server)
    const invitation = c.req.query('invitation')?.slice(0, 200)
    const asked = { provider: provider.id, arrival, isSignup, invitation }
    const url = await startHandshake(server, provider, (secrets) =>
      sealBeginning(server.store, { step: 'provider', ...asked, ...secrets }, browser.secret),
    )
    return redirect(url, 302, [['Set-Cookie', browser.cookie]])
  } catch (error) {
    return await explain(c, server, provider, error)
  }
}

/**
 * Handles the provider's answer, in the browser that asked. The provider ensures that it is valid
 * once.
 */
async function comeBack(
  c: HonoContext,
  server: SystemContext,
  guard: FormGuard,
): Promise<Response> {
  const provider = providerOf(c, server)
  if (!provider) return await noProviderPage(pageLanguage(c, server))
  const refusal = await guard.tooMany(c, 'login')
  if (refusal) return refusal
  const state = c.req.query('state') ?? ''
  const browser = knownBrowser(c)
  const begun = openBeginning(server.store, 'provider', state, browser)
  if (browser === undefined || begun?.provider !== provider.id) {
    return await guard.wrongLink(c, state, overPage)
  }
  const { nonce, codeVerifier, arrival, isSignup, invitation } = begun
  try {
    const { search } = new URL(c.req.url)
    const handshake = { state, nonce, codeVerifier }
    const person = await finishHandshake(server, provider, handshake, search)
    const token = getCookie(c, sessionCookie)
    const request = loginRequest(c, server, { provider: provider.name })
    const outcome = await server.store.write((tx) =>
      enterByProvider(tx, server, provider, person, {
        arrival,
        isSignup,
        invitation,
        browser,
        openUserId: token ? findSession(tx, token, tx.clock)?.user.id : undefined,
        request,
      }),
    )
    return await reply(c, server, guard, provider, outcome)
  } catch (error) {
    return await explain(c, server, provider, error)
  }
}

async function reply(
  c: HonoContext,
  server: SystemContext,
  guard: FormGuard,
  provider: IdentityProvider,
  outcome: ProviderLogin,
): Promise<Response> {
  switch (outcome.kind) {
    case 'entered':
      return await arrive(c, server, provider, outcome.entry)
    case 'confirm':
      return await guard.show(c, (seal, language) =>
        confirmPage({ ...outcome, language, provider: provider.name, seal }),
      )
    case 'refused':
      return await refusedPage(pageLanguage(c, server), outcome.why, provider)
  }
}

async function arrive(
  c: HonoContext,
  server: SystemContext,
  provider: IdentityProvider,
  entry: CompletedLogin,
): Promise<Response> {
  const response = await completeEntry(c, server, entry)
  if (entry.kind === 'browser') {
    response.headers.append('Set-Cookie', providerToRemember(server, provider.id))
  }
  return response
}

/** Sends a browser that has logged out to the provider's log-out. */
async function leave(c: HonoContext, server: SystemContext, guard: FormGuard): Promise<Response> {
  const provider = providerOf(c, server)
  if (!provider) return await noProviderPage(pageLanguage(c, server))
  const { params } = await readInput(c, {}, bodyLimit)
  if (!guard.isOwn(c, params)) return redirect(loginPath, 303)
  const refusal = await guard.tooMany(c, 'login')
  if (refusal) return refusal
  try {
    const next = (await endSessionUrl(server, provider, loginPath)) ?? loginPath
    return redirect(next, 303, [['Set-Cookie', providerToRemember(server, null)]])
  } catch (error) {
    return await explain(c, server, provider, error)
  }
}

/**
 * Links the account of someone with much power once they have also entered its password. This works
 * even if passwords are switched off, because otherwise they could never link it.
 */
async function confirmLink(
  c: HonoContext,
  server: SystemContext,
  guard: FormGuard,
): Promise<Response> {
  const { params } = await readInput(c, {}, bodyLimit)
  const key = params.get('attempt') ?? ''
  const find = (read: Read) => findAttempt(read, ['link'], key, knownBrowser(c))
  const attempt = find(server.store)
  const user = attempt?.userId ? findUser(server.store, attempt.userId) : undefined
  const provider = attempt && findProvider(server.store, attempt.details.identity.provider)
  if (!attempt || !user || !provider) return await guard.wrongLink(c, key, overPage)
  const needsCode = (read: Read) => hasSecondFactor(read, user.id)
  const shown = {
    attempt: key,
    email: user.email,
    isVerified: user.isEmailVerified,
    provider: provider.name,
    needsCode: needsCode(server.store),
  }
  const again = (problem: Sentence) =>
    guard.show(c, (seal, language) => confirmPage({ ...shown, language, seal, problem }))
  if (!guard.isOwn(c, params)) {
    return await again(notOwn)
  }
  const refusal = await guard.tooMany(c, 'login')
  if (refusal) return refusal
  const address = clientAddress(server, c)
  try {
    const known = await checkPassword(
      server.store,
      user.email,
      params.get('password') ?? '',
      (account) => server.rateLimits.guesses.password(account, address),
    )
    const counted = needsCode(server.store) ? countCode(c, server, known) : undefined
    const request = loginRequest(c, server, { provider: provider.name })
    const entry = await server.store.write((tx) => {
      const current = requireSame(tx, known)
      const now = find(tx)
      if (!now || now.userId !== current.id) return undefined
      const isRight = () => counted && useCode(tx, current.id, params.get('code') ?? '')
      if (needsCode(tx) && !isRight()) return 'wrong'
      deleteAttempt(tx, key)
      link(tx, provider, now.details.identity, current)
      return enter(tx, server, current, now.details.arrival, request)
    })
    if (entry === 'wrong') {
      await counted?.wrong()
      return await again(sentence('This code is not right.'))
    }
    counted?.right()
    return entry
      ? await arrive(c, server, provider, entry)
      : await overPage(pageLanguage(c, server))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'RATE_LIMIT_HIT') return await tooManyPage(pageLanguage(c, server), error)
    return await again(error.sentence)
  }
}

/** The page for a failed log-in. Other log-ins continue. */
async function explain(
  c: HonoContext,
  server: SystemContext,
  provider: IdentityProvider,
  error: unknown,
): Promise<Response> {
  const language = pageLanguage(c, server)
  if (error instanceof ApiError) return await invalidPage(language, error.sentence)
  if (!(error instanceof ProviderFailure)) throw error
  server.log.warn(
    { provider: provider.id, reason: error.message },
    'a log-in with a provider failed',
  )
  return await failedPage(language, provider, error.isRefusal)
}
