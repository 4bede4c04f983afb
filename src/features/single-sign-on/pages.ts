import type { Context as HonoContext } from 'hono'
import { getCookie } from 'hono/cookie'
import { checkPassword, requireSame } from '#features/accounts/login/actions.ts'
import { type Entry, enter } from '#features/accounts/login/entering.actions.ts'
import { arrivalOf, completeEntry, loginRequest } from '#features/accounts/login/entering.pages.ts'
import { overPage } from '#features/accounts/login/second-step.views.ts'
import { wrongAppPage } from '#features/accounts/login/views.ts'
import {
  endSessionUrl,
  finishHandshake,
  ProviderFailure,
  startHandshake,
} from '#features/identity-providers/oidc.actions.ts'
import {
  callbackPathOf,
  logInPathOf,
  logOutPathOf,
  signUpPathOf,
} from '#features/identity-providers/paths.ts'
import { findProvider } from '#features/identity-providers/queries.ts'
import { findRealm } from '#features/realm/queries.ts'
import { browserSecret, knownBrowser } from '#features/sessions/attempts.pages.ts'
import {
  type Attempt,
  deleteAttempt,
  findAttempt,
  insertAttempt,
} from '#features/sessions/attempts.queries.ts'
import { loginPath, rememberProvider } from '#features/sessions/entering.pages.ts'
import { findSession } from '#features/sessions/queries.ts'
import { useCode } from '#features/two-factor/actions.ts'
import { hasSecondFactor } from '#features/two-factor/rules.ts'
import { findUser } from '#features/users/queries.ts'
import type { IdentityProvider } from '#platform/config.ts'
import type { Context } from '#platform/context.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import { sessionCookie } from '#platform/http/authenticate.ts'
import { clientAddress } from '#platform/http/client-address.ts'
import type { App } from '#platform/http/mount.ts'
import { readInput } from '#platform/http/request.ts'
import { createFormGuard, type FormGuard, tooManyPage } from '#platform/pages/form-guard.ts'
import type { Read } from '#platform/store/write.ts'
import { enterByProvider, link, type Outcome } from './actions.ts'
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
export function mountSingleSignOn(app: App, server: Context): void {
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
  app.get(logOutPathOf(':provider'), async (c) => await leave(c, server, guard))
  app.post(linkPath, async (c) => await confirmLink(c, server, guard))
}

function providerOf(c: HonoContext, { store, config }: Context): IdentityProvider | undefined {
  if (!findRealm(store)) return undefined
  return findProvider(store, config, c.req.param('provider') ?? '')
}

/** Sends the browser to the provider. */
async function begin(
  c: HonoContext,
  server: Context,
  guard: FormGuard,
  isSignup: boolean,
): Promise<Response> {
  const provider = providerOf(c, server)
  if (!provider) return await noProviderPage()
  const arrival = arrivalOf(c, server)
  if (!arrival) return await wrongAppPage()
  const refusal = await guard.tooMany(c, 'login')
  if (refusal) return refusal
  try {
    const { url, handshake } = await startHandshake(server, provider)
    const { state, nonce, codeVerifier } = handshake
    const browser = browserSecret(c, server)
    const invitation = c.req.query('invitation')?.slice(0, 200)
    await server.store.write((tx) =>
      insertAttempt(tx, {
        key: state,
        browser: browser.secret,
        details: {
          step: 'provider',
          provider: provider.id,
          nonce,
          codeVerifier,
          arrival,
          isSignup,
          invitation,
        },
      }),
    )
    c.header('Set-Cookie', browser.cookie, { append: true })
    return c.redirect(url)
  } catch (error) {
    return await explain(server, provider, error)
  }
}

/** Takes the provider's answer. It counts once, and only in the browser that asked. */
async function comeBack(c: HonoContext, server: Context, guard: FormGuard): Promise<Response> {
  const provider = providerOf(c, server)
  if (!provider) return await noProviderPage()
  const refusal = await guard.tooMany(c, 'login')
  if (refusal) return refusal
  const state = c.req.query('state') ?? ''
  const browser = knownBrowser(c)
  const attempt = browser === undefined ? undefined : await takeAttempt(server, state, browser)
  if (browser === undefined || attempt?.details.provider !== provider.id) {
    return await guard.wrongLink(c, state, overPage)
  }
  const { nonce, codeVerifier, arrival, isSignup, invitation } = attempt.details
  try {
    const { search } = new URL(c.req.url)
    const handshake = { state, nonce, codeVerifier }
    const person = await finishHandshake(server, provider, handshake, search)
    const token = getCookie(c, sessionCookie)
    const request = loginRequest(c, server, `your account at ${provider.name}`)
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
    return await answer(c, server, guard, provider, outcome)
  } catch (error) {
    return await explain(server, provider, error)
  }
}

async function takeAttempt(
  { store }: Context,
  state: string,
  browser: string,
): Promise<Attempt<'provider'> | undefined> {
  const find = (read: Read) => findAttempt(read, ['provider'], state, browser)
  if (!find(store)) return undefined
  return await store.write((tx) => {
    const attempt = find(tx)
    return attempt && deleteAttempt(tx, state) ? attempt : undefined
  })
}

async function answer(
  c: HonoContext,
  server: Context,
  guard: FormGuard,
  provider: IdentityProvider,
  outcome: Outcome,
): Promise<Response> {
  switch (outcome.kind) {
    case 'entered':
      return await arrive(c, server, provider, outcome.entry)
    case 'confirm':
      return await guard.show(c, (seal) =>
        confirmPage({ ...outcome, provider: provider.name, seal }),
      )
    case 'refused':
      return await refusedPage(outcome.why, provider)
  }
}

async function arrive(
  c: HonoContext,
  server: Context,
  provider: IdentityProvider,
  entry: Entry,
): Promise<Response> {
  if (entry.kind === 'browser') rememberProvider(c, server, provider.id)
  return await completeEntry(c, server, entry)
}

/** Sends a browser that has logged out here to where the provider logs it out, too. */
async function leave(c: HonoContext, server: Context, guard: FormGuard): Promise<Response> {
  const provider = providerOf(c, server)
  if (!provider) return await noProviderPage()
  const refusal = await guard.tooMany(c, 'login')
  if (refusal) return refusal
  rememberProvider(c, server, null)
  try {
    return c.redirect((await endSessionUrl(server, provider, loginPath)) ?? loginPath)
  } catch (error) {
    return await explain(server, provider, error)
  }
}

/**
 * Links the account of somebody with much power once they have shown its password, too. That counts
 * where passwords are switched off, as they could never link it then.
 */
async function confirmLink(c: HonoContext, server: Context, guard: FormGuard): Promise<Response> {
  const { params } = await readInput(c, {}, bodyLimit)
  const key = params.get('attempt') ?? ''
  const find = (read: Read) => findAttempt(read, ['link'], key, knownBrowser(c))
  const attempt = find(server.store)
  const user = attempt?.userId ? findUser(server.store, attempt.userId) : undefined
  const provider =
    attempt && findProvider(server.store, server.config, attempt.details.identity.provider)
  if (!attempt || !user || !provider) return await guard.wrongLink(c, key, overPage)
  const needsCode = (read: Read) => hasSecondFactor(read, user.id)
  const shown = {
    attempt: key,
    email: user.email,
    provider: provider.name,
    needsCode: needsCode(server.store),
  }
  const again = (problem: string) =>
    guard.show(c, (seal) => confirmPage({ ...shown, seal, problem }))
  if (!guard.isOwn(c, params)) {
    return await again('Please submit the form again. Your browser must accept cookies.')
  }
  const refusal = await guard.tooMany(c, 'login')
  if (refusal) return refusal
  const address = clientAddress(server, c)
  try {
    // Until code and password are right, both count as guesses.
    const counted = server.rateLimits.guesses.password(user.id, address)
    const known = await checkPassword(server, user.email, params.get('password') ?? '', (account) =>
      server.rateLimits.guesses.password(account, address),
    )
    const request = loginRequest(c, server, `your account at ${provider.name}`)
    const entry = await server.store.write((tx) => {
      const current = requireSame(tx, known)
      const now = find(tx)
      if (!now || now.userId !== current.id) return undefined
      if (needsCode(tx) && !useCode(tx, current.id, params.get('code') ?? '')) throw wrongCode()
      deleteAttempt(tx, key)
      link(tx, server, provider, now.details.identity, current)
      return enter(tx, server, current, now.details.arrival, request)
    })
    counted.right()
    return entry ? await arrive(c, server, provider, entry) : await overPage()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'RATE_LIMIT_HIT') return await tooManyPage(error)
    return await again(`${error.message}.`)
  }
}

const wrongCode = () => badRequest('This code is not right')

/** The page for a log-in that failed. Other log-ins go on. */
async function explain(
  { log }: Context,
  provider: IdentityProvider,
  error: unknown,
): Promise<Response> {
  if (error instanceof ApiError) return await invalidPage(error.message)
  if (!(error instanceof ProviderFailure)) throw error
  log.warn({ provider: provider.id, reason: error.message }, 'a log-in with a provider failed')
  return await failedPage(provider, error.isRefusal)
}
