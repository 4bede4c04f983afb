import type { Context as HonoContext } from 'hono'
import { getCookie } from 'hono/cookie'
import { endSession } from '#features/access/accounts/credentials.actions.ts'
import { resetPath } from '#features/access/accounts/password-reset/actions.ts'
import { listProviders } from '#features/foundation/identity-providers/queries.ts'
import { usesPasswords } from '#features/foundation/identity-providers/rules.ts'
import { canSendMail } from '#features/foundation/mail/actions.ts'
import { findRealm, requireRealm } from '#features/foundation/realm/queries.ts'
import { browserSecret, knownBrowser } from '#features/foundation/sessions/attempts.pages.ts'
import {
  deleteAttempt,
  findAttempt,
  insertAttempt,
} from '#features/foundation/sessions/attempts.queries.ts'
import { openBeginning, sealBeginning } from '#features/foundation/sessions/beginnings.queries.ts'
import {
  browserLoginPath,
  devLoginPath,
  lastProvider,
  loginPath,
  logoutPath,
  startBrowserSession,
} from '#features/foundation/sessions/entering.pages.ts'
import { findSession } from '#features/foundation/sessions/queries.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import { constantTimeEqual } from '#platform/constant-time.ts'
import type { Context, SystemContext } from '#platform/context.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import { sessionCookie } from '#platform/http/authenticate.ts'
import { clientAddress } from '#platform/http/client-address.ts'
import { lightScript, redirect } from '#platform/http/light/reply.ts'
import type { App } from '#platform/http/mount.ts'
import { readInput } from '#platform/http/request.ts'
import { createFormGuard, type FormGuard, notOwn, tooManyPage } from '#platform/pages/form-guard.ts'
import { languagePath } from '#platform/pages/html.ts'
import { languageCookie, pageLanguage } from '#platform/pages/page-language.ts'
import { pathOf } from '#platform/pages/path.ts'
import { showPasswordPath, showPasswordScript } from '#platform/pages/show-password.ts'
import type { Read } from '#platform/store/store.ts'
import { isLanguage } from '#platform/translation/languages.ts'
import { type Sentence, sentence } from '#translations/translate.ts'
import { logIn, requireActive, requireLogin } from './actions.ts'
import { enterByPassword, openSession } from './entering.actions.ts'
import { arrivalOf, localPath, loginRequest, nextOf } from './entering.pages.ts'
import { listDevPeople } from './people.queries.ts'
import { afterPassword, passwordRequest } from './second-step.pages.ts'
import { overPage } from './second-step.views.ts'
import {
  lateCodePage,
  loginPage,
  loginScriptPath,
  takeOverPage,
  takeOverPath,
  wrongAppPage,
} from './views.ts'

/** In bytes; ample for the form. */
const bodyLimit = 16 * 1024

/**
 * Keeps the part of the address after `#`, which names the view to return to. Removes what the web
 * client kept in the tab, and for its next start: its session is over, and someone else may log in next.
 */
const script = `for (const name of Object.keys(sessionStorage)) {
  if (name.startsWith('parley:')) sessionStorage.removeItem(name)
}
try {
  for (const name of ['parley:kept', 'parley:screen']) localStorage.removeItem(name)
  indexedDB.deleteDatabase('parley')
} catch {}
for (const form of document.forms) form.action += location.hash
if (location.hash) {
  const next = '?next=' + encodeURIComponent('/' + location.hash)
  for (const link of document.querySelectorAll('a.provider')) link.href += next
}
`

/** The login page and the logout form. They work without JavaScript. */
export function mountLogin(app: App, server: SystemContext): void {
  const guard = createFormGuard(server)
  app.get(loginPath, async (c) =>
    findRealm(server.store) ? await showForm(c, server, guard, '') : redirect('/'),
  )
  app.post(loginPath, async (c) =>
    findRealm(server.store) ? await submit(c, server, guard) : redirect('/'),
  )
  app.get(browserLoginPath, async (c) =>
    findRealm(server.store) ? await beginForApp(c, server, guard) : redirect('/'),
  )
  app.get(`${takeOverPath}:token`, async (c) => await takeOver(c, server, guard))
  app.post(takeOverPath, async (c) => await confirmTakeOver(c, server, guard))
  app.post(logoutPath, async (c) => await logOut(c, server, guard))
  app.get(loginScriptPath, () => {
    return lightScript(script)
  })
  app.get(showPasswordPath, () => {
    return lightScript(showPasswordScript)
  })
  app.get(`${languagePath}:code`, (c) => {
    const code = c.req.param('code')
    const next = localPath(c.req.query('next') ?? loginPath, server.realmUrl)
    const cookies = isLanguage(code) ? [languageCookie(code, server)] : []
    return redirect(
      next,
      303,
      cookies.map((cookie) => ['Set-Cookie', cookie]),
    )
  })
  if (!server.config.fixture) return
  app.get(devLoginPath, () => redirect(loginPath))
  app.post(devLoginPath, async (c) => await enterAs(c, server, guard))
}

/** Logs anyone in as a user of the development organization. */
async function enterAs(c: HonoContext, server: SystemContext, guard: FormGuard): Promise<Response> {
  const { params } = await readInput(c, {}, bodyLimit)
  if (!guard.isOwn(c, params)) return redirect(loginPath, 303)
  const people = listDevPeople(server.store)
  const user = people.find(({ id }) => String(id) === params.get('user_id'))
  if (!user) return redirect(loginPath, 303)
  const session = await server.store.write((tx) => {
    requireActive(findUser(tx, user.id) ?? user)
    return openSession(tx, server, user.id, loginRequest(c, server, 'click'))
  })
  return startBrowserSession(server, session, nextOf(c, server))
}

async function submit(c: HonoContext, server: SystemContext, guard: FormGuard): Promise<Response> {
  const { params } = await readInput(c, {}, bodyLimit)
  const email = (params.get('email') ?? '').trim()
  if (!guard.isOwn(c, params)) {
    return await showForm(c, server, guard, email, notOwn)
  }
  const refusal = await guard.tooMany(c, 'login')
  if (refusal) return refusal
  const app = c.req.query('app')
  const address = clientAddress(server, c)
  try {
    const known = await logIn(server.store, email, params.get('password') ?? '', (account) =>
      server.rateLimits.guesses.password(account, address),
    )
    const request = passwordRequest(c, server)
    const outcome = await server.store.write((tx) => {
      const user = requireLogin(tx, known)
      const arrival = app
        ? openBeginning(tx, 'password', app, knownBrowser(c))?.arrival
        : { next: nextOf(c, server) }
      if (!arrival) throw overForApp()
      return enterByPassword(tx, server, user, arrival, request)
    })
    return await afterPassword(c, server, guard, outcome, request)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'RATE_LIMIT_HIT') return await tooManyPage(pageLanguage(c, server), error)
    const isWrong = error.code === 'AUTHENTICATION_FAILED'
    return await showForm(c, server, guard, email, isWrong ? wrongLogin : error.sentence)
  }
}

/** With the names of the fields of the form: the API speaks of a user name. */
const wrongLogin = sentence('Your email address or password is incorrect')

const overForApp = () => badRequest(sentence('This login took too long. Start again in the app.'))

/** Begins a log-in of an app with all steps of the log-in page. */
async function beginForApp(
  c: HonoContext,
  server: SystemContext,
  guard: FormGuard,
): Promise<Response> {
  const arrival = arrivalOf(c, server)
  if (!arrival) return await wrongAppPage(pageLanguage(c, server))
  const refusal = await guard.tooMany(c, 'login')
  if (refusal) return refusal
  const { secret: browser, cookie } = browserSecret(c, server)
  const begun = sealBeginning(server.store, { step: 'password', arrival }, browser)
  return redirect(`${loginPath}?${new URLSearchParams({ app: begun })}`, 302, [
    ['Set-Cookie', cookie],
  ])
}

/**
 * Logs a desktop app in with the token from the code that someone pasted into it. In a browser with
 * a session, or coming from another site, this needs a click: the link may come from someone who
 * wants them to use another account.
 */
async function takeOver(
  c: HonoContext,
  server: SystemContext,
  guard: FormGuard,
): Promise<Response> {
  const token = c.req.param('token') ?? ''
  const find = (read: Read) => findAttempt(read, ['desktop'], token, undefined)
  if (!find(server.store)) return await guard.wrongLink(c, token, lateCodePage)
  const mayEnter = isOpenedByHand(c) && !isLoggedIn(c, server)
  const { secret: browser, cookie } = browserSecret(c, server)
  const outcome = await server.store.write((tx) => {
    const attempt = find(tx)
    const user = attempt && findUser(tx, attempt.userId)
    if (!attempt || !user?.isActive) return undefined
    deleteAttempt(tx, token)
    const { arrival } = attempt.details
    const { id: userId } = user
    if (mayEnter) {
      const session = openSession(tx, server, userId, requestOf(c, server))
      return { kind: 'entered', session, next: arrival.next } as const
    }
    const details = { step: 'takeover', arrival } as const
    const waiting = insertAttempt(tx, { details, browser, userId })
    return { kind: 'asking', user, attempt: waiting } as const
  })
  if (!outcome) return await lateCodePage(pageLanguage(c, server))
  if (outcome.kind === 'entered') {
    return startBrowserSession(server, outcome.session, outcome.next)
  }
  const { user, attempt } = outcome
  const response = await guard.show(c, (seal, language) =>
    takeOverPage({ seal, language, attempt, user }),
  )
  response.headers.append('Set-Cookie', cookie)
  return response
}

const requestOf = (c: HonoContext, server: Context) => loginRequest(c, server, 'desktop')

/**
 * Whether an app or a person has opened the address, according to headers that pages cannot forge.
 */
function isOpenedByHand(c: HonoContext): boolean {
  return ['none', 'same-origin'].includes(c.req.header('sec-fetch-site') ?? '')
}

function isLoggedIn(c: HonoContext, { store, clock }: SystemContext): boolean {
  const token = getCookie(c, sessionCookie)
  return token !== undefined && findSession(store, token, clock) !== undefined
}

async function confirmTakeOver(
  c: HonoContext,
  server: SystemContext,
  guard: FormGuard,
): Promise<Response> {
  const { params } = await readInput(c, {}, bodyLimit)
  const key = params.get('attempt') ?? ''
  const find = (read: Read) => findAttempt(read, ['takeover'], key, knownBrowser(c))
  if (!find(server.store)) return await guard.wrongLink(c, key, overPage)
  if (!guard.isOwn(c, params)) return await overPage(pageLanguage(c, server))
  const entered = await server.store.write((tx) => {
    const attempt = find(tx)
    const user = attempt && findUser(tx, attempt.userId)
    if (!attempt || !user?.isActive) return undefined
    deleteAttempt(tx, key)
    const session = openSession(tx, server, user.id, requestOf(c, server))
    return { session, next: attempt.details.arrival.next }
  })
  if (!entered) return await overPage(pageLanguage(c, server))
  return startBrowserSession(server, entered.session, entered.next)
}

/** Ends this browser's session only, with its event queues. */
async function logOut(c: HonoContext, server: SystemContext, guard: FormGuard): Promise<Response> {
  const { params } = await readInput(c, {}, bodyLimit)
  const token = getCookie(c, sessionCookie)
  if (token && (guard.isOwn(c, params) || hasCsrfToken(c, server, token))) {
    await server.store.write((tx) => endSession(tx, server.queues, token))
  }
  return redirect(loginPath, 303)
}

/** Whether the request repeats the session's CSRF token, as the web client does. */
function hasCsrfToken(c: HonoContext, { store, clock }: SystemContext, token: string): boolean {
  const session = findSession(store, token, clock)
  const repeated = c.req.header('x-csrftoken') ?? ''
  return session !== undefined && constantTimeEqual(session.csrfToken, repeated)
}

const pathWithQuery = (c: HonoContext) => pathOf(c) + new URL(c.req.url).search

async function showForm(
  c: HonoContext,
  server: SystemContext,
  guard: FormGuard,
  email: string,
  problem?: Sentence,
): Promise<Response> {
  const { store, config } = server
  const providers = listProviders(store)
  const isForOwners = !usesPasswords(store)
  const asked = c.req.query('owners') !== undefined
  return await guard.show(c, (seal, language) =>
    loginPage({
      language,
      path: pathWithQuery(c),
      organization: requireRealm(store).name,
      seal,
      email,
      problem,
      providers,
      passwords: isForOwners ? (asked ? 'owners' : 'hidden') : 'everybody',
      app: c.req.query('app'),
      next: nextOf(c, server),
      resetPath: canSendMail(config) ? resetPath : undefined,
      leftProvider: providers.find(({ id }) => id === lastProvider(c)),
      people: config.fixture ? listDevPeople(store) : undefined,
    }),
  )
}
