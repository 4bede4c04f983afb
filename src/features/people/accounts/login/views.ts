import { html } from 'hono/html'
import { logInPathOf, logOutPathOf } from '#features/access/identity-providers/paths.ts'
import { providerButtons } from '#features/access/identity-providers/views.ts'
import { devLoginPath, loginPath } from '#features/access/sessions/entering.pages.ts'
import { avatarPath } from '#features/people/users/avatar-paths.ts'
import type { User } from '#features/people/users/queries.ts'
import type { IdentityProvider } from '#platform/config.ts'
import { emailField, input, passwordField } from '#platform/pages/fields.ts'
import { type Html, page } from '#platform/pages/html.ts'

/** The script that keeps the view to return to. */
export const loginScriptPath = '/static/login.js'

interface LoginPage {
  readonly organization: string
  /** The hidden fields of the forms. */
  readonly seal: Html
  readonly email: string
  /** The problem with the last submission. */
  readonly problem: string | undefined
  readonly providers: readonly IdentityProvider[]
  /** Whether to ask for a password; `owners`: passwords are for owners only. */
  readonly passwords: 'everybody' | 'owners' | 'hidden'
  /** The secret of a log-in that leads into an app; undefined: into this browser. */
  readonly app: string | undefined
  /** The page that mails a link for a new password; undefined: no mail can be sent. */
  readonly resetPath: string | undefined
  /** Where somebody may still be logged in who has logged out here. */
  readonly leftProvider: IdentityProvider | undefined
  /** Whom the development organization lets in with a click. */
  readonly people: readonly User[] | undefined
}

/** The address at which owners can log in with a password while that is switched off. */
const ownersPath = `${loginPath}?owners`

/** Asks who somebody is, in all ways that there are. */
export async function loginPage(shown: LoginPage): Promise<Response> {
  const { problem, providers, passwords, leftProvider } = shown
  const title = `Log in to ${shown.organization}`
  const main = html`<h1>${title}</h1>
${problem ? html`<p role="alert">${problem}</p>` : ''}
${shown.app === undefined && shown.people ? peopleForm(shown.seal, shown.people) : ''}
${shown.app === undefined ? providerButtons(providers, logInPathOf) : ''}
${
  passwords === 'hidden'
    ? html`<p class="hint"><a href="${ownersPath}">Log in as an owner, with a password</a></p>`
    : passwordForm(shown)
}
${leftProvider ? logOutForm(shown.seal, leftProvider) : ''}`
  const status = problem ? 400 : 200
  return await page(problem ? `Error: ${title}` : title, main, status, loginScriptPath)
}

function passwordForm(shown: LoginPage): Html {
  const { seal, email, people, providers, passwords, resetPath, app } = shown
  const action = app === undefined ? loginPath : `${loginPath}?${new URLSearchParams({ app })}`
  return html`${app === undefined && (people || providers.length > 0) ? html`<h2>With a password</h2>` : ''}
${passwords === 'owners' ? html`<p>Only owners can log in with a password.</p>` : ''}
<form method="post" action="${passwords === 'owners' ? ownersPath : action}">
${seal}
${input({ ...emailField, hint: '' }, email, undefined)}
${input({ ...passwordField, hint: '', autocomplete: 'current-password' }, '', undefined)}
<button type="submit">Log in</button>
</form>
${resetPath ? html`<p><a href="${resetPath}">Forgot your password?</a></p>` : ''}`
}

/** Leads to where somebody may still be logged in who has logged out here. */
function logOutForm(seal: Html, { id, name }: IdentityProvider): Html {
  return html`<form method="post" action="${logOutPathOf(id)}">
${seal}
<button class="text">Log out of ${name} as well</button>
</form>`
}

/** A button a person of the development organization. */
function peopleForm(seal: Html, people: readonly User[]): Html {
  const buttons = people.map(
    (user) => html`<li><button name="user_id" value="${user.id}"><img
 src="${avatarPath(user)}" alt="" width="32" height="32">${user.fullName}</button></li>\n`,
  )
  return html`<form method="post" action="${devLoginPath}">
${seal}
<p>This is the development organization: enter as anybody.</p>
<ul class="people">
${buttons}</ul>
</form>`
}

/** Shows the code with which a desktop app takes a log-in over. */
export async function desktopCodePage(code: string): Promise<Response> {
  return await page(
    'Go back to the app',
    html`<h1>Go back to the app</h1>
<p>Copy this code, and paste it in the app within 15 seconds:</p>
<pre id="code">${code}</pre>`,
  )
}

/** Where a log-in of a desktop app ends, and the form is sent that asks whether it should. */
export const takeOverPath = '/accounts/login/subdomain/'

/** Asks whether somebody wants to be logged in with an account, which may not be theirs. */
export async function takeOverPage(shown: {
  readonly seal: Html
  /** The secret of the log-in that waits. */
  readonly attempt: string
  readonly user: User
}): Promise<Response> {
  const { fullName, email } = shown.user
  return await page(
    'Continue with this account?',
    html`<h1>Continue with this account?</h1>
<p>A link would log this browser in as <strong>${fullName}</strong> (${email}). Continue only if that is
you: whoever else is logged in here is logged out.</p>
<form method="post" action="${takeOverPath}">
${shown.seal}
<input type="hidden" name="attempt" value="${shown.attempt}">
<button type="submit">Continue as ${fullName}</button>
</form>
<a class="button plain" href="/">Cancel</a>`,
  )
}

/** For a desktop app that was too late, or a code that was used. */
export async function lateCodePage(): Promise<Response> {
  return await page(
    'This code is not valid',
    html`<h1>This code is not valid</h1>
<p>Codes work once, within 15 seconds. Please log in again.</p>
<a class="button" href="${loginPath}">Log in</a>`,
    404,
  )
}

/** For an app that asked for a log-in in a form that no app uses. */
export async function wrongAppPage(): Promise<Response> {
  return await page(
    'This link is not valid',
    html`<h1>This link is not valid</h1>
<p>The app that opened it is broken or out of date.</p>`,
    400,
  )
}
