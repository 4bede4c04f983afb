import { html } from 'hono/html'
import { logInPathOf, logOutPathOf } from '#features/foundation/identity-providers/paths.ts'
import { providerButtons } from '#features/foundation/identity-providers/views.ts'
import { devLoginPath, homePath, loginPath } from '#features/foundation/sessions/entering.pages.ts'
import { avatarPath } from '#features/foundation/users/avatar-paths.ts'
import type { User } from '#features/foundation/users/queries.ts'
import type { IdentityProvider } from '#platform/config.ts'
import { alert, emailField, input, passwordField } from '#platform/pages/fields.ts'
import { filled, formPage, type Html, headedPage } from '#platform/pages/html.ts'
import { initials } from '#shared/initials.ts'
import { faces } from '#shared/tokens.ts'
import type { Sentence, Translator } from '#translations/translate.ts'

/** The script that keeps the view to return to. */
export const loginScriptPath = '/static/login.js'

interface LoginPage {
  readonly language: Translator
  readonly organization: string
  /** Its own, with the query. */
  readonly path: string
  /** The hidden fields of the forms. */
  readonly seal: Html
  readonly email: string
  /** The problem with the last submission. */
  readonly problem: Sentence | undefined
  readonly providers: readonly IdentityProvider[]
  /** Whether to ask for a password; `owners`: passwords are for owners only. */
  readonly passwords: 'everybody' | 'owners' | 'hidden'
  /** The secret of a log-in that leads into an app; undefined: into this browser. */
  readonly app: string | undefined
  /** The page to show after the log-in. */
  readonly next: string
  /** The page that mails a link for a new password; undefined: no mail can be sent. */
  readonly resetPath: string | undefined
  /** The page to log out at the provider, after a log-out here. */
  readonly leftProvider: IdentityProvider | undefined
  /** The users of the development organization who can log in with a click. */
  readonly people: readonly User[] | undefined
}

/** The address at which owners can log in with a password while that is switched off. */
const ownersPath = `${loginPath}?owners`

/** The address of a page of the log-in that leads to another page than usual. */
function leadingTo(path: string, next: string): string {
  if (next === homePath) return path
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ next })}`
}

/** The log-in page, with all available methods. */
export async function loginPage(shown: LoginPage): Promise<Response> {
  const { language, organization, problem, providers, passwords, leftProvider, next } = shown
  const { t } = language
  const title = t('Log in to {organization}', { organization })
  const main = html`${alert(language, problem)}
${shown.app === undefined && shown.people ? peopleForm(language, shown, shown.people) : ''}
${shown.app === undefined ? providerButtons(language, providers, (id) => leadingTo(logInPathOf(id), next)) : ''}
${
  passwords === 'hidden'
    ? html`<p class="hint"><a href="${leadingTo(ownersPath, next)}">${t('Log in as an owner, with a password')}</a></p>`
    : passwordForm(shown)
}
${leftProvider ? logOutForm(language, shown.seal, leftProvider) : ''}`
  const isWrong = problem !== undefined
  return await formPage(language, title, isWrong, main, loginScriptPath, shown.path)
}

function passwordForm(shown: LoginPage): Html {
  const { language, seal, email, people, providers, passwords, resetPath, app, next } = shown
  const { t } = language
  const action = app === undefined ? loginPath : `${loginPath}?${new URLSearchParams({ app })}`
  return html`${app === undefined && (people || providers.length > 0) ? html`<h2>${t('With a password')}</h2>` : ''}
${passwords === 'owners' ? html`<p>${t('Only owners can log in with a password.')}</p>` : ''}
<form method="post" action="${leadingTo(passwords === 'owners' ? ownersPath : action, next)}">
${seal}
${input(language, { ...emailField, hint: undefined }, email, undefined)}
${input(
  language,
  { ...passwordField, hint: undefined, autocomplete: 'current-password' },
  '',
  undefined,
)}
<button type="submit">${t('Log in')}</button>
</form>
${resetPath ? html`<p><a href="${resetPath}">${t('Forgot your password?')}</a></p>` : ''}`
}

/** The link to log out at the provider, after a log-out here. */
function logOutForm({ t }: Translator, seal: Html, { id, name }: IdentityProvider): Html {
  return html`<form method="post" action="${logOutPathOf(id)}">
${seal}
<button class="text">${t('Log out of {provider} as well', { provider: name })}</button>
</form>`
}

/** A button a person of the development organization. */
function peopleForm(
  { t }: Translator,
  { seal, next }: Pick<LoginPage, 'seal' | 'next'>,
  people: readonly User[],
): Html {
  const buttons = people.map(
    (user) =>
      html`<li><button name="user_id" value="${user.id}">${face(user)}${user.fullName}</button></li>\n`,
  )
  return html`<form method="post" action="${leadingTo(devLoginPath, next)}">
${seal}
<p>${t('This is the development organization: log in as anyone.')}</p>
<ul class="people">
${buttons}</ul>
</form>`
}

/** The picture of someone as the client draws it: uploaded, or initials on a colour of theirs. */
function face(user: User): Html {
  if (user.avatarHash !== null) {
    return html`<img src="${avatarPath(user)}" alt="" width="32" height="32">`
  }
  const [top, bottom] = faces[user.id % faces.length] ?? []
  const id = `face-${user.id}`
  return html`<svg viewBox="0 0 32 32" aria-hidden="true">
<linearGradient id="${id}" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient>
<rect width="32" height="32" fill="url(#${id})"/>
<text x="16" y="20.5" text-anchor="middle" font-size="12.5" font-weight="600" fill="#fff">${initials(user.fullName)}</text>
</svg>`
}

/** Shows the code with which a desktop app takes over a log-in. */
export async function desktopCodePage(language: Translator, code: string): Promise<Response> {
  const { t } = language
  return await headedPage(
    language,
    t('Go back to the app'),
    html`<p>${t('Copy this code, and paste it into the app within 15 seconds:')}</p>
<pre id="code">${code}</pre>`,
  )
}

/** The path where a log-in of a desktop app ends, and of its confirmation form. */
export const takeOverPath = '/accounts/login/subdomain/'

/** Asks whether someone wants to be logged in with an account, which may not be theirs. */
export async function takeOverPage(shown: {
  readonly language: Translator
  readonly seal: Html
  /** The secret of the waiting log-in. */
  readonly attempt: string
  readonly user: User
}): Promise<Response> {
  const { language, user } = shown
  const { t } = language
  return await headedPage(
    language,
    t('Continue with this account?'),
    html`<p>${filled(
      t(
        'A link would log this browser in as {name} ({email}). Continue only if that is you: anyone else who is logged in here is logged out.',
      ),
      { name: html`<strong>${user.fullName}</strong>`, email: html`${user.email}` },
    )}</p>
<form method="post" action="${takeOverPath}">
${shown.seal}
<input type="hidden" name="attempt" value="${shown.attempt}">
<button type="submit">${t('Continue as {name}', { name: user.fullName })}</button>
</form>
<a class="button plain" href="/">${t('Cancel')}</a>`,
  )
}

/** For a desktop app that was too late, or a code that was used. */
export async function lateCodePage(language: Translator): Promise<Response> {
  const { t } = language
  return await headedPage(
    language,
    t('This code is not valid'),
    html`<p>${t('Codes work once, within 15 seconds. Please log in again.')}</p>
<a class="button" href="${loginPath}">${t('Log in')}</a>`,
    404,
  )
}

/** For an app that asked for a log-in in a form that no app uses. */
export async function wrongAppPage(language: Translator): Promise<Response> {
  const { t } = language
  return await headedPage(
    language,
    t('This link is not valid'),
    html`<p>${t('The app that opened it is broken or out of date.')}</p>`,
    400,
  )
}
