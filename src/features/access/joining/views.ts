import { html } from 'hono/html'
import { signUpPathOf } from '#features/access/identity-providers/paths.ts'
import { providerButtons } from '#features/access/identity-providers/views.ts'
import { loginPath } from '#features/access/sessions/entering.pages.ts'
import type { NewAccount } from '#features/people/users/rules.ts'
import type { IdentityProvider } from '#platform/config.ts'
import { emailField, type Field, input, nameField, passwordField } from '#platform/pages/fields.ts'
import { type Html, page } from '#platform/pages/html.ts'

/** The submitted values of the form, and the problems with them. */
export interface JoinFormState {
  readonly values: NewAccount
  readonly problems: Partial<Record<keyof NewAccount | 'form', string>>
}

export const emptyJoinForm: JoinFormState = {
  values: { email: '', fullName: '', password: '' },
  problems: {},
}

interface JoinPage {
  /** The organization's name. */
  readonly organization: string
  readonly providers: readonly IdentityProvider[]
  /** The secret part of the invitation; undefined: anybody may join. */
  readonly invitation: string | undefined
  /** Who wrote the invitation; undefined: there is none. */
  readonly inviter: string | undefined
  /** How many people are in the organization; undefined: not for everybody to know. */
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
  const fields =
    form.email === null ? [nameField, emailField, passwordField] : [nameField, passwordField]
  return await formPage(form, {
    intro:
      form.email === null
        ? html`<p>Choose your name and how you log in.</p>`
        : html`<p>The address of your account will be <strong>${form.email}</strong>.</p>`,
    fields,
    button: 'Join',
  })
}

/** Asks for the address alone, to which a confirmation link goes. */
export async function addressForm(form: JoinForm): Promise<Response> {
  const intro = html`<p>We will send a link to your address. Open it to continue.</p>`
  const field = { ...emailField, hint: 'You log in with this address.' }
  return await formPage(form, { intro, fields: [field], button: 'Send the link' })
}

/** Lets people join with an account elsewhere, where passwords are switched off. */
export async function providersPage(shown: JoinPage): Promise<Response> {
  const title = `Join ${shown.organization}`
  return await page(title, html`<h1>${title}</h1>\n${welcome(shown)}${buttons(shown)}`)
}

/** Says who asks somebody in, and to how many others. */
function welcome({ inviter, people }: JoinPage): Html | '' {
  if (inviter === undefined || people === undefined) return ''
  const others = people === 1 ? 'The two of you would be the first.' : `${people} people are here.`
  return html`<p><strong>${inviter}</strong> has invited you. ${others}</p>\n`
}

function buttons({ providers, invitation }: JoinPage): Html {
  const query = invitation === undefined ? '' : `?${new URLSearchParams({ invitation })}`
  return providerButtons(providers, (id) => signUpPathOf(id) + query)
}

async function formPage(
  { organization, action, seal, filled: { values, problems }, ...shown }: JoinForm,
  parts: { intro: Html; fields: readonly Field<keyof NewAccount>[]; button: string },
): Promise<Response> {
  const hasProblems = Object.keys(problems).length > 0
  const title = `Join ${organization}`
  const main = html`<h1>${title}</h1>
${welcome({ organization, ...shown })}${buttons({ organization, ...shown })}
${parts.intro}
${hasProblems ? html`<p role="alert">${problems.form ?? 'Please correct the fields marked below.'}</p>` : ''}
<form method="post" action="${action}">
${seal}
${parts.fields.map((field) => input(field, values[field.key], problems[field.key]))}
<button type="submit">${parts.button}</button>
</form>`
  return await page(hasProblems ? `Error: ${title}` : title, main, hasProblems ? 400 : 200)
}

/** The same page whether or not the address has an account. */
export async function checkMailPage(email: string): Promise<Response> {
  return await page(
    'Check your mail',
    html`<h1>Check your mail</h1>
<p>We have sent a mail to <strong>${email}</strong>. The link in it is valid for a day.</p>`,
  )
}

/**
 * The same page for a link that is unknown, revoked, used or expired, so that it does not reveal
 * which.
 */
export async function noAdmissionPage(): Promise<Response> {
  return await page(
    'This link is not valid',
    html`<h1>This link is not valid</h1>
<p>It may have been used or revoked, or it has expired. Ask the person who invited you for a new one.</p>
<a class="button" href="${loginPath}">Log in</a>`,
    404,
  )
}
