import type { Context as HonoContext } from 'hono'
import { getCookie } from 'hono/cookie'
import { endSession } from '#features/accounts/credentials.actions.ts'
import { resetPath } from '#features/accounts/password-reset/actions.ts'
import { listProviders } from '#features/identity-providers/queries.ts'
import { usesPasswords } from '#features/identity-providers/rules.ts'
import { canSendMail } from '#features/mail/actions.ts'
import { findRealm, requireRealm } from '#features/realm/queries.ts'
import { browserSecret, knownBrowser } from '#features/sessions/attempts.pages.ts'
import { deleteAttempt, findAttempt, insertAttempt } from '#features/sessions/attempts.queries.ts'
import {
  browserLoginPath,
  devLoginPath,
  homePath,
  lastProvider,
  loginPath,
  logoutPath,
  startBrowserSession,
} from '#features/sessions/entering.pages.ts'
import { findSession, insertSession } from '#features/sessions/queries.ts'
import { findUser } from '#features/users/queries.ts'
import { constantTimeEqual } from '#platform/constant-time.ts'
import type { Context } from '#platform/context.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import { sessionCookie } from '#platform/http/authenticate.ts'
import { clientAddress } from '#platform/http/client-address.ts'
import type { App } from '#platform/http/mount.ts'
import { readInput } from '#platform/http/request.ts'
import { createFormGuard, type FormGuard, tooManyPage } from '#platform/pages/form-guard.ts'
import type { Read } from '#platform/store/write.ts'
import { logIn, requireActive, requireLogin } from './actions.ts'
import { enterByPassword } from './entering.actions.ts'
import { arrivalOf } from './entering.pages.ts'
import { listDevPeople } from './people.queries.ts'
import { afterPassword, passwordRequest } from './second-step.pages.ts'
import { lateCodePage, loginPage, loginScriptPath, wrongAppPage } from './views.ts'

/** In bytes; ample for the form. */
const bodyLimit = 16 * 1024

/** Keeps the part of the address after `#`, which names the view to return to. */
const script = `for (const form of document.forms) form.action += location.hash
if (location.hash) {
  const next = '?next=' + encodeURIComponent('/' + location.hash)
  for (const link of document.querySelectorAll('a.provider')) link.href += next
}
`

/** The login page and the logout form. They work without JavaScript. */
export function mountLogin(app: App, server: Context): void {
  const guard = createFormGuard(server)
  app.get(loginPath, async (c) =>
    findRealm(server.store) ? await showForm(c, server, guard, '') : c.redirect('/'),
  )
  app.post(loginPath, async (c) =>
    findRealm(server.store) ? await submit(c, server, guard) : c.redirect('/'),
  )
  app.get(browserLoginPath, async (c) =>
    findRealm(server.store) ? await beginForApp(c, server, guard) : c.redirect('/'),
  )
  app.get('/accounts/login/subdomain/:token', async (c) => await takeOver(c, server, guard))
  app.post(logoutPath, async (c) => await logOut(c, server, guard))
  app.get(loginScriptPath, (c) => {
    c.header('Cache-Control', 'no-cache')
    return c.body(script, 200, { 'Content-Type': 'text/javascript; charset=utf-8' })
  })
  if (!server.config.fixture) return
  app.get(devLoginPath, (c) => c.redirect(loginPath))
  app.post(devLoginPath, async (c) => await enterAs(c, server, guard))
}

/** Lets whoever asks in as somebody of the development organization. */
async function enterAs(c: HonoContext, server: Context, guard: FormGuard): Promise<Response> {
  const { params } = await readInput(c, {}, bodyLimit)
  if (!guard.isOwn(c, params)) return c.redirect(loginPath, 303)
  const people = listDevPeople(server.store)
  const user = people.find(({ id }) => String(id) === params.get('user_id'))
  if (!user) return c.redirect(loginPath, 303)
  const session = await server.store.write((tx) => {
    requireActive(findUser(tx, user.id) ?? user)
    return insertSession(tx, user.id, server.clock, c.req.header('user-agent'))
  })
  return startBrowserSession(c, server, session)
}

async function submit(c: HonoContext, server: Context, guard: FormGuard): Promise<Response> {
  const { params } = await readInput(c, {}, bodyLimit)
  const email = (params.get('email') ?? '').trim()
  if (!guard.isOwn(c, params)) {
    const problem = 'Please submit the form again. Your browser must accept cookies.'
    return await showForm(c, server, guard, email, problem)
  }
  const refusal = await guard.tooMany(c, 'login')
  if (refusal) return refusal
  const app = c.req.query('app')
  const findApp = (read: Read) => findAttempt(read, ['password'], app ?? '', knownBrowser(c))
  const address = clientAddress(server, c)
  try {
    const known = await logIn(server, email, params.get('password') ?? '', (account) =>
      server.rateLimits.guesses.password(account, address),
    )
    const request = passwordRequest(c, server)
    const outcome = await server.store.write((tx) => {
      const user = requireLogin(tx, server.config, known)
      const arrival = app ? findApp(tx)?.details.arrival : { next: homePath }
      if (!arrival) throw overForApp()
      if (app) deleteAttempt(tx, app)
      return enterByPassword(tx, server, user, arrival, request)
    })
    return await afterPassword(c, server, guard, outcome, request)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'RATE_LIMIT_HIT') return await tooManyPage(error)
    return await showForm(c, server, guard, email, `${error.message}.`)
  }
}

const overForApp = () => badRequest('This log-in took too long. Begin again in the app')

/** Begins a log-in of an app with everything that the log-in page asks for. */
async function beginForApp(c: HonoContext, server: Context, guard: FormGuard): Promise<Response> {
  const arrival = arrivalOf(c, server)
  if (!arrival) return await wrongAppPage()
  const refusal = await guard.tooMany(c, 'login')
  if (refusal) return refusal
  const { secret: browser, cookie } = browserSecret(c, server)
  const details = { step: 'password', arrival } as const
  const attempt = await server.store.write((tx) => insertAttempt(tx, { details, browser }))
  c.header('Set-Cookie', cookie, { append: true })
  return c.redirect(`${loginPath}?${new URLSearchParams({ app: attempt })}`)
}

/** Logs a desktop app in with the token from the code that somebody pasted into it. */
async function takeOver(c: HonoContext, server: Context, guard: FormGuard): Promise<Response> {
  const token = c.req.param('token') ?? ''
  const find = (read: Read) => findAttempt(read, ['desktop'], token, undefined)
  if (!find(server.store)) return await guard.wrongLink(c, token, lateCodePage)
  const entered = await server.store.write((tx) => {
    const attempt = find(tx)
    const user = attempt?.userId ? findUser(tx, attempt.userId) : undefined
    if (!attempt || !user?.isActive) return undefined
    deleteAttempt(tx, token)
    const session = insertSession(tx, user.id, server.clock, c.req.header('user-agent'))
    return { session, next: attempt.details.arrival.next }
  })
  if (!entered) return await lateCodePage()
  return startBrowserSession(c, server, entered.session, entered.next)
}

/** Ends this browser's session only, with its event queues. */
async function logOut(c: HonoContext, server: Context, guard: FormGuard): Promise<Response> {
  const { params } = await readInput(c, {}, bodyLimit)
  const token = getCookie(c, sessionCookie)
  if (token && (guard.isOwn(c, params) || hasCsrfToken(c, server, token))) {
    await server.store.write((tx) => endSession(tx, server.queues, token))
  }
  return c.redirect(loginPath, 303)
}

/** Whether the request repeats the session's CSRF token, as the web client does. */
function hasCsrfToken(c: HonoContext, { store, clock }: Context, token: string): boolean {
  const session = findSession(store, token, clock)
  const repeated = c.req.header('x-csrftoken') ?? ''
  return session !== undefined && constantTimeEqual(session.csrfToken, repeated)
}

async function showForm(
  c: HonoContext,
  server: Context,
  guard: FormGuard,
  email: string,
  problem?: string,
): Promise<Response> {
  const { store, config } = server
  const providers = listProviders(store, config)
  const isForOwners = !usesPasswords(store, config)
  const asked = c.req.query('owners') !== undefined
  return await guard.show(c, (seal) =>
    loginPage({
      organization: requireRealm(store).name,
      seal,
      email,
      problem,
      providers,
      passwords: isForOwners ? (asked ? 'owners' : 'hidden') : 'everybody',
      app: c.req.query('app'),
      resetPath: canSendMail(config) ? resetPath : undefined,
      leftProvider: providers.find(({ id }) => id === lastProvider(c)),
      people: config.fixture ? listDevPeople(store) : undefined,
    }),
  )
}
