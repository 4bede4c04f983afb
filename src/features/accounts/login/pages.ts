import type { Context as HonoContext } from 'hono'
import { getCookie } from 'hono/cookie'
import { html } from 'hono/html'
import { endSession } from '#features/accounts/credentials.actions.ts'
import { resetPath } from '#features/accounts/password-reset/actions.ts'
import { canSendMail } from '#features/mail/actions.ts'
import { findRealm, requireRealm } from '#features/realm/queries.ts'
import {
  devLoginPath,
  loginPath,
  logoutPath,
  startBrowserSession,
} from '#features/sessions/entering.pages.ts'
import { findSession, insertSession } from '#features/sessions/queries.ts'
import type { User } from '#features/users/queries.ts'
import { constantTimeEqual } from '#platform/constant-time.ts'
import type { Context } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import { sessionCookie } from '#platform/http/authenticate.ts'
import { clientAddress } from '#platform/http/client-address.ts'
import type { App } from '#platform/http/mount.ts'
import { readInput } from '#platform/http/request.ts'
import { emailField, input, passwordField } from '#platform/pages/fields.ts'
import { createFormGuard, type FormGuard, tooManyPage } from '#platform/pages/form-guard.ts'
import { type Html, page } from '#platform/pages/html.ts'
import { logIn, queueLoginMail, requireLogin } from './actions.ts'
import { listDevPeople } from './people.queries.ts'

/** In bytes; ample for the form. */
const bodyLimit = 16 * 1024

const scriptPath = '/static/login.js'

/** Keeps the part of the address after `#`, which names the view to return to. */
const script = 'for (const form of document.forms) form.action += location.hash\n'

/** The login page and the logout form. They work without JavaScript. */
export function mountLogin(app: App, server: Context): void {
  const guard = createFormGuard(server)
  app.get(loginPath, async (c) =>
    findRealm(server.store) ? await showForm(c, server, guard, '') : c.redirect('/'),
  )
  app.post(loginPath, async (c) =>
    findRealm(server.store) ? await submit(c, server, guard) : c.redirect('/'),
  )
  app.post(logoutPath, async (c) => await logOut(c, server, guard))
  app.get(scriptPath, (c) => {
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
    requireLogin(tx, user)
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
  const address = clientAddress(server, c)
  try {
    const known = await logIn(server, email, params.get('password') ?? '', (account) =>
      server.rateLimits.guesses.password(account, address),
    )
    const session = await server.store.write((tx) => {
      const user = requireLogin(tx, known)
      queueLoginMail(tx, server, user, address)
      return insertSession(tx, user.id, server.clock, c.req.header('user-agent'))
    })
    return startBrowserSession(c, server, session)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'RATE_LIMIT_HIT') return await tooManyPage(error)
    return await showForm(c, server, guard, email, `${error.message}.`)
  }
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
  const title = `Log in to ${requireRealm(server.store).name}`
  const forgotten = canSendMail(server.config)
    ? html`<p><a href="${resetPath}">Forgot your password?</a></p>`
    : ''
  return await guard.show(c, async (seal) => {
    const main = html`<h1>${title}</h1>
${problem ? html`<p role="alert">${problem}</p>` : ''}
${server.config.fixture ? peopleForm(seal, listDevPeople(server.store)) : ''}
<form method="post" action="${loginPath}">
${seal}
${input({ ...emailField, hint: 'The address of your account.' }, email, undefined)}
${input({ ...passwordField, hint: '', autocomplete: 'current-password' }, '', undefined)}
<button type="submit">Log in</button>
</form>
${forgotten}`
    const status = problem ? 400 : 200
    return await page(problem ? `Error: ${title}` : title, main, status, scriptPath)
  })
}

/** A button a person of the development organization. */
function peopleForm(seal: Html, people: readonly User[]): Html {
  const buttons = people.map(
    ({ id, fullName }) => html`<button name="user_id" value="${id}">${fullName}</button>\n`,
  )
  return html`<form method="post" action="${devLoginPath}">
${seal}
<p>This is the development organization: enter as anybody.</p>
<div class="people">
${buttons}</div>
</form>
<h2>With a password</h2>`
}
