import type { Context as HonoContext } from 'hono'
import { getCookie } from 'hono/cookie'
import { html } from 'hono/html'
import { endSession } from '#features/accounts/credentials.actions.ts'
import { resetPath } from '#features/accounts/password-reset/actions.ts'
import { canSendMail } from '#features/mail/actions.ts'
import { findRealm, requireRealm } from '#features/realm/queries.ts'
import { loginPath, logoutPath, startBrowserSession } from '#features/sessions/entering.pages.ts'
import { insertSession } from '#features/sessions/queries.ts'
import type { Context } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import { sessionCookie } from '#platform/http/authenticate.ts'
import { clientAddress } from '#platform/http/client-address.ts'
import type { App } from '#platform/http/mount.ts'
import { readInput } from '#platform/http/request.ts'
import { emailField, input, passwordField } from '#platform/pages/fields.ts'
import { createFormGuard, type FormGuard, tooManyPage } from '#platform/pages/form-guard.ts'
import { page } from '#platform/pages/html.ts'
import { logIn, queueLoginMail, requireLogin } from './actions.ts'

/** In bytes; ample for the form. */
const bodyLimit = 16 * 1024

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
      return insertSession(tx, user.id, server.clock)
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
  if (token && guard.isOwn(c, params)) {
    await server.store.write((tx) => endSession(tx, server.queues, token))
  }
  return c.redirect(loginPath, 303)
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
<form method="post" action="${loginPath}">
${seal}
${input({ ...emailField, hint: 'The address of your account.' }, email, undefined)}
${input({ ...passwordField, hint: '', autocomplete: 'current-password' }, '', undefined)}
<button type="submit">Log in</button>
</form>
${forgotten}`
    return await page(problem ? `Error: ${title}` : title, main, problem ? 400 : 200)
  })
}
