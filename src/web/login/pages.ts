import type { Context as HonoContext } from 'hono'
import { getCookie } from 'hono/cookie'
import { html } from 'hono/html'
import type { Context } from '#context.ts'
import { ApiError } from '#errors.ts'
import { clientAddress } from '#http/client-address.ts'
import type { App } from '#http/mount.ts'
import { readInput } from '#http/request.ts'
import { canSendMail } from '#mail/actions.ts'
import { findRealm, requireRealm } from '#realm/queries.ts'
import { logIn, tellOfLogin } from '#users/login/actions.ts'
import { resetPath } from '#users/password-reset/actions.ts'
import { deleteSession, insertSession, sessionCookie } from '#users/sessions/queries.ts'
import { enter, loginPath, logoutPath } from '#web/entering.ts'
import { emailField, input, passwordField } from '#web/fields.ts'
import { createFormGuard, type FormGuard } from '#web/guard.ts'
import { page } from '#web/html.ts'

/** The form's size in bytes, with room to spare. */
const bodyLimit = 16 * 1024

/** Where people log in with a browser, and out. Works without JavaScript. */
export function mountLogin(app: App, server: Context): void {
  const guard = createFormGuard(server)
  app.get(loginPath, async (c) =>
    findRealm(server.store) ? await showForm(c, server, guard, '') : c.redirect('/'),
  )
  app.post(loginPath, async (c) =>
    findRealm(server.store) ? await submit(c, server, guard) : c.redirect('/'),
  )
  app.post(logoutPath, async (c) => await leave(c, server, guard))
}

async function submit(c: HonoContext, server: Context, guard: FormGuard): Promise<Response> {
  const { params } = await readInput(c, {}, bodyLimit)
  const email = (params.get('email') ?? '').trim()
  if (!guard.isOwn(c, params)) {
    const problem = 'Please send this again; your browser has to accept cookies.'
    return await showForm(c, server, guard, email, problem)
  }
  const refusal = await guard.tooMany(c, 'login')
  if (refusal) return refusal
  try {
    const user = await logIn(server.store, email, params.get('password') ?? '')
    const session = await server.store.write((tx) => {
      tellOfLogin(tx, server, user, clientAddress(server, c))
      return insertSession(tx, user.id, server.clock)
    })
    return enter(c, server, session)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return await showForm(c, server, guard, email, `${error.message}.`)
  }
}

/** Ends the browser's session, and that one alone. */
async function leave(c: HonoContext, server: Context, guard: FormGuard): Promise<Response> {
  const { params } = await readInput(c, {}, bodyLimit)
  const token = getCookie(c, sessionCookie)
  if (token && guard.isOwn(c, params)) {
    await server.store.write((tx) => deleteSession(tx, token))
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
    ? html`<p><a href="${resetPath}">Forgotten your password?</a></p>`
    : ''
  return await guard.show(c, async (seal) => {
    const main = html`<h1>${title}</h1>
${problem ? html`<p role="alert">${problem}</p>` : ''}
<form method="post" action="${loginPath}">
${seal}
${input({ ...emailField, hint: 'The one of your account here.' }, email, undefined)}
${input({ ...passwordField, hint: '', autocomplete: 'current-password' }, '', undefined)}
<button type="submit">Log in</button>
</form>
${forgotten}`
    return await page(problem ? `Error: ${title}` : title, main, problem ? 400 : 200)
  })
}
