import { html } from 'hono/html'
import { codeField } from '#features/access/accounts/login/second-step.views.ts'
import { signUpPathOf } from '#features/foundation/identity-providers/paths.ts'
import { loginPath } from '#features/foundation/sessions/entering.pages.ts'
import type { IdentityProvider } from '#platform/config.ts'
import { alert, input, passwordField } from '#platform/pages/fields.ts'
import { filled, formPage, type Html, headedPage } from '#platform/pages/html.ts'
import { problemText } from '#platform/pages/page-language.ts'
import type { Sentence, Translator } from '#translations/translate.ts'
import type { Refusal } from './actions.ts'

/** The page where someone confirms with a password that an account is theirs. */
export const linkPath = '/accounts/login/link/'

interface Confirmation {
  readonly language: Translator
  /** The secret of the log-in that waits. */
  readonly attempt: string
  readonly email: string
  /** Whether the owner of the account has verified the address here. */
  readonly isVerified: boolean
  /** Whether the account has a second factor. */
  readonly needsCode: boolean
  /** The provider's name. */
  readonly provider: string
  readonly seal: Html
  /** English. */
  readonly problem?: Sentence
}

/** Asks someone once for the password of the account that is theirs according to a provider. */
export async function confirmPage(shown: Confirmation): Promise<Response> {
  const { language, attempt, email, provider, seal, problem, needsCode, isVerified } = shown
  const { t } = language
  const values = { email: html`<strong>${email}</strong>`, provider: html`${provider}` }
  return await formPage(
    language,
    t('Is this your account?'),
    problem !== undefined,
    html`<p>${filled(t('{provider} says that you are {email}.'), values)}
${filled(
  isVerified
    ? t(
        'This account can manage the organization, so please enter its password here once. From then on, {provider} logs you in.',
      )
    : t(
        'No one has confirmed the address of this account here, so please enter its password once. From then on, {provider} logs you in.',
      ),
  values,
)}</p>
<p class="hint">${t('If you do not know the password, someone else may have created the account: ask an administrator of the organization.')}</p>
${alert(language, problem)}
<form method="post" action="${linkPath}">
${seal}
<input type="hidden" name="attempt" value="${attempt}">
${input(
  language,
  { ...passwordField, hint: undefined, autocomplete: 'current-password' },
  '',
  undefined,
)}
${needsCode ? input(language, codeField, '', undefined) : ''}
<button type="submit">${t('Continue')}</button>
</form>`,
  )
}

function again({ t }: Translator): Html {
  return html`<a class="button" href="${loginPath}">${t('Back to login')}</a>`
}

/** The page for someone whom the provider has identified, but who is not let in. */
export async function refusedPage(
  language: Translator,
  why: Refusal,
  { name: provider, id }: IdentityProvider,
): Promise<Response> {
  const { t } = language
  const values = { provider }
  const reasons: Record<Refusal, string> = {
    deactivated: t(
      'Your account here is deactivated. Ask an administrator of the organization to reactivate it.',
    ),
    'not allowed': t(
      '{provider} confirmed who you are, but you are in none of the groups that may log in here.',
      values,
    ),
    unverified: t(
      '{provider} has not verified your email address, so it cannot show that an account here is yours. Verify the address there, or log in another way.',
      values,
    ),
    'other identity': t(
      'The account here with your address belongs to someone else at {provider}, or cannot be logged in to this way. Ask an administrator of the organization.',
      values,
    ),
    'other address': t(
      'This invitation is for a different email address than the one that {provider} has for you.',
      values,
    ),
    'no account': t(
      'No account here has your address. Ask a member of the organization to invite you.',
    ),
  }
  return await headedPage(
    language,
    t('You were not logged in'),
    html`<p>${reasons[why]}</p>
${
  why === 'no account'
    ? html`<p>${filled(t('If you were invited, or if anyone may join, {link}.'), {
        link: html`<a href="${signUpPathOf(id)}">${t('create an account')}</a>`,
      })}</p>`
    : ''
}
${again(language)}`,
    403,
  )
}

/** @param reason why there can be no account, in English */
export async function invalidPage(language: Translator, reason: Sentence): Promise<Response> {
  return await headedPage(
    language,
    language.t('You cannot join with this account'),
    html`<p>${problemText(language, reason)}</p>\n${again(language)}`,
    403,
  )
}

/** For a provider with no answer or a wrong one. @param isRefusal the person declined there */
export async function failedPage(
  language: Translator,
  { name: provider }: IdentityProvider,
  isRefusal: boolean,
): Promise<Response> {
  const { t } = language
  const reason = isRefusal
    ? t('{provider} was not allowed to log you in.', { provider })
    : t('{provider} could not log you in. Try again later, or log in another way.', { provider })
  return await headedPage(
    language,
    t('You were not logged in'),
    html`<p>${reason}</p>\n${again(language)}`,
    isRefusal ? 403 : 502,
  )
}

export async function noProviderPage(language: Translator): Promise<Response> {
  return await headedPage(
    language,
    language.t('You cannot log in this way'),
    html`${again(language)}`,
    404,
  )
}
