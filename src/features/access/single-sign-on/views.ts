import { html } from 'hono/html'
import { signUpPathOf } from '#features/access/identity-providers/paths.ts'
import { loginPath } from '#features/access/sessions/entering.pages.ts'
import { codeField } from '#features/people/accounts/login/second-step.views.ts'
import type { IdentityProvider } from '#platform/config.ts'
import { input, passwordField } from '#platform/pages/fields.ts'
import { type Html, page } from '#platform/pages/html.ts'
import type { Refusal } from './actions.ts'

/** Where somebody confirms with a password that an account is theirs. */
export const linkPath = '/accounts/login/link/'

interface Confirmation {
  /** The secret of the log-in that waits. */
  readonly attempt: string
  readonly email: string
  /** Whether somebody verified here that the address is theirs. */
  readonly isVerified: boolean
  /** Whether the account has a second factor. */
  readonly needsCode: boolean
  /** The provider's name. */
  readonly provider: string
  readonly seal: Html
  readonly problem?: string
}

/** Asks somebody for the password of the account that a provider says is theirs, once. */
export async function confirmPage(shown: Confirmation): Promise<Response> {
  const { attempt, email, provider, seal, problem, needsCode, isVerified } = shown
  const title = 'Is this your account?'
  return await page(
    problem ? `Error: ${title}` : title,
    html`<h1>${title}</h1>
<p>${provider} says that you are <strong>${email}</strong>. ${
      isVerified
        ? 'This account can manage the organization'
        : 'Nobody has confirmed the address of this account here'
    }, so please enter its password here once. From then on, ${provider} logs you in.</p>
<p class="hint">If you do not know the password, somebody else may have made the account: ask an
administrator of the organization.</p>
${problem ? html`<p role="alert">${problem}</p>` : ''}
<form method="post" action="${linkPath}">
${seal}
<input type="hidden" name="attempt" value="${attempt}">
${input({ ...passwordField, hint: '', autocomplete: 'current-password' }, '', undefined)}
${needsCode ? input(codeField, '', undefined) : ''}
<button type="submit">Continue</button>
</form>`,
    problem ? 400 : 200,
  )
}

const again = html`<a class="button" href="${loginPath}">Back to the log-in</a>`

/** The page for somebody whom the provider knows, but who is not let in. */
export async function refusedPage(why: Refusal, provider: IdentityProvider): Promise<Response> {
  const { name, id } = provider
  const reasons: Record<Refusal, Html> = {
    deactivated: html`<p>Your account here is deactivated. Ask an administrator of the organization
to reactivate it.</p>`,
    'not allowed': html`<p>${name} says who you are, but you are in none of the groups that may log
in here.</p>`,
    unverified: html`<p>${name} has not verified your email address, so it cannot show that an
account here is yours. Verify the address there, or log in in another way.</p>`,
    'other identity': html`<p>The account here with your address belongs to somebody else at
${name}, or cannot be logged in to in this way. Ask an administrator of the organization.</p>`,
    'other address': html`<p>This invitation is for another email address than the one that ${name}
knows of you.</p>`,
    'no account': html`<p>No account here has your address, or may be made for it. Ask a member of
the organization to invite you.</p>
<p>If you were invited, or everybody may join, <a href="${signUpPathOf(id)}">create an account</a>.</p>`,
  }
  const title = 'You were not logged in'
  return await page(title, html`<h1>${title}</h1>\n${reasons[why]}\n${again}`, 403)
}

/** @param reason why there can be no account */
export async function invalidPage(reason: string): Promise<Response> {
  const title = 'You cannot join with this account'
  return await page(title, html`<h1>${title}</h1>\n<p>${reason}</p>\n${again}`, 403)
}

/** For a provider that does not answer, or wrongly. @param isRefusal the person declined there */
export async function failedPage(
  { name }: IdentityProvider,
  isRefusal: boolean,
): Promise<Response> {
  const title = 'You were not logged in'
  const reason = isRefusal
    ? html`<p>${name} was not allowed to log you in.</p>`
    : html`<p>${name} could not log you in. Try again later, or log in in another way.</p>`
  return await page(title, html`<h1>${title}</h1>\n${reason}\n${again}`, isRefusal ? 403 : 502)
}

export async function noProviderPage(): Promise<Response> {
  const title = 'There is no such way to log in'
  return await page(title, html`<h1>${title}</h1>\n${again}`, 404)
}
