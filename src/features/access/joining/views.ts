import { html } from 'hono/html'
import { signUpPathOf } from '#features/foundation/identity-providers/paths.ts'
import { providerButtons } from '#features/foundation/identity-providers/views.ts'
import { loginPath } from '#features/foundation/sessions/entering.pages.ts'
import type { NewAccount } from '#features/foundation/users/rules.ts'
import type { IdentityProvider } from '#platform/config.ts'
import { emailField, type Field, input, nameField, passwordField } from '#platform/pages/fields.ts'
import { filled, formPage, type Html, headedPage } from '#platform/pages/html.ts'
import { problemText } from '#platform/pages/page-language.ts'
import { type Sentence, type Translator, text } from '#translations/translate.ts'

/** The submitted values of the form, and the problems with them. */
export interface JoinFormState {
  readonly values: NewAccount
  readonly problems: Partial<Record<keyof NewAccount | 'form', Sentence>>
}

export const emptyJoinForm: JoinFormState = {
  values: { email: '', fullName: '', password: '' },
  problems: {},
}

interface JoinPage {
  readonly language: Translator
  /** The organization's name. */
  readonly organization: string
  readonly providers: readonly IdentityProvider[]
  /** The secret part of the invitation; undefined: anyone may join. */
  readonly invitation: string | undefined
  /** The author of the invitation; undefined: there is none. */
  readonly inviter: string | undefined
  /** The number of people in the organization; undefined: not shown. */
  readonly people: number | undefined
}

interface JoinForm extends JoinPage {
  /** The path that the form posts to. */
  readonly action: string
  readonly seal: Html
  /** The account's address; null if the person enters it. */
  readonly email: string | null
  readonly filled: JoinFormState
}

/** Asks for a name and a password to join. */
export async function joinForm(form: JoinForm): Promise<Response> {
  const { t } = form.language
  const fields =
    form.email === null ? [nameField, emailField, passwordField] : [nameField, passwordField]
  return await joinPage(form, {
    intro:
      form.email === null
        ? html`<p>${t('Choose your name and how you log in.')}</p>`
        : html`<p>${filled(t('The address of your account will be {email}.'), {
            email: html`<strong>${form.email}</strong>`,
          })}</p>`,
    fields,
    button: t('Join'),
  })
}

/** Asks only for the address, to which a confirmation link is sent. */
export async function addressForm(form: JoinForm): Promise<Response> {
  const { t } = form.language
  const intro = html`<p>${t('We will send a link to your address. Open it to continue.')}</p>`
  const field = { ...emailField, hint: text('You log in with this address.') }
  return await joinPage(form, { intro, fields: [field], button: t('Send the link') })
}

/** Lets people join with an account elsewhere if passwords are switched off. */
export async function providersPage(shown: JoinPage): Promise<Response> {
  const { language, organization } = shown
  return await headedPage(
    language,
    language.t('Join {organization}', { organization }),
    html`${welcome(shown)}${buttons(shown)}`,
  )
}

/** Shows the inviter, and the number of people in the organization. */
function welcome({ language, inviter, people }: JoinPage): Html | '' {
  if (inviter === undefined || people === undefined) return ''
  const { t, tn } = language
  const invited = filled(t('{inviter} has invited you.'), {
    inviter: html`<strong>${inviter}</strong>`,
  })
  const others =
    people === 1
      ? t('The two of you would be the first.')
      : tn(people, 'One person is here.', '{count} people are here.')
  return html`<p>${invited} ${others}</p>\n`
}

function buttons({ language, providers, invitation }: JoinPage): Html {
  const query = invitation === undefined ? '' : `?${new URLSearchParams({ invitation })}`
  return providerButtons(language, providers, (id) => signUpPathOf(id) + query)
}

async function joinPage(
  { action, seal, filled: { values, problems }, ...shown }: JoinForm,
  parts: { intro: Html; fields: readonly Field<keyof NewAccount>[]; button: string },
): Promise<Response> {
  const hasProblems = Object.keys(problems).length > 0
  const { language, organization } = shown
  const { t } = language
  const main = html`${welcome(shown)}${buttons(shown)}
${parts.intro}
${hasProblems ? html`<p role="alert">${problems.form ? problemText(language, problems.form) : t('Please correct the fields marked below.')}</p>` : ''}
<form method="post" action="${action}">
${seal}
${parts.fields.map((field) => input(language, field, values[field.key], problems[field.key]))}
<button type="submit">${parts.button}</button>
</form>`
  const title = t('Join {organization}', { organization })
  return await formPage(language, title, hasProblems, main, undefined, action)
}

/** The same page whether or not the address has an account. */
export async function checkMailPage(language: Translator, email: string): Promise<Response> {
  const { t } = language
  return await headedPage(
    language,
    t('Check your email'),
    html`<p>${filled(t('We have sent an email to {email}. The link in it is valid for a day.'), {
      email: html`<strong>${email}</strong>`,
    })}</p>`,
  )
}

/**
 * The same page for a link that is unknown, revoked, used or expired, so that it does not reveal
 * which.
 */
export async function noAdmissionPage(language: Translator): Promise<Response> {
  const { t } = language
  return await headedPage(
    language,
    t('This link is not valid'),
    html`<p>${t('It may have been used or revoked, or it has expired. Ask the person who invited you for a new one.')}</p>
<a class="button" href="${loginPath}">${t('Log in')}</a>`,
    404,
  )
}
