import { html } from 'hono/html'
import type { NewAccount } from '#users/rules.ts'
import { emailField, type Field, input, nameField, passwordField } from '#web/fields.ts'
import { type Html, page } from '#web/html.ts'

/** What somebody wrote into the form, and what is wrong with it. */
export interface Filled {
  readonly values: NewAccount
  readonly problems: Partial<Record<keyof NewAccount | 'form', string>>
}

export const unfilled: Filled = {
  values: { email: '', fullName: '', password: '' },
  problems: {},
}

interface JoinForm {
  /** The organization's name. */
  readonly organization: string
  /** Where the form goes. */
  readonly action: string
  readonly seal: Html
  /** The address that the account gets, where it is decided. */
  readonly email: string | null
  readonly filled: Filled
}

/** Where somebody chooses name and password, and joins. */
export async function joinForm(form: JoinForm): Promise<Response> {
  const fields =
    form.email === null ? [nameField, emailField, passwordField] : [nameField, passwordField]
  return await formPage(form, {
    intro:
      form.email === null
        ? html`<p>Choose what others see and how you log in.</p>`
        : html`<p>Your account gets the address <strong>${form.email}</strong>.</p>`,
    fields,
    button: 'Join',
  })
}

/** Where somebody says first which address is theirs, because mail can show that it is. */
export async function addressForm(form: JoinForm): Promise<Response> {
  const intro = html`<p>We send a link to your address, by which you go on.</p>`
  const field = { ...emailField, hint: 'You log in with it.' }
  return await formPage(form, { intro, fields: [field], button: 'Send the link' })
}

async function formPage(
  { organization, action, seal, filled: { values, problems } }: JoinForm,
  parts: { intro: Html; fields: readonly Field<keyof NewAccount>[]; button: string },
): Promise<Response> {
  const hasProblems = Object.keys(problems).length > 0
  const title = `Join ${organization}`
  const main = html`<h1>${title}</h1>
${parts.intro}
${hasProblems ? html`<p role="alert">${problems.form ?? 'Please look at what is marked below.'}</p>` : ''}
<form method="post" action="${action}">
${seal}
${parts.fields.map((field) => input(field, values[field.key], problems[field.key]))}
<button type="submit">${parts.button}</button>
</form>`
  return await page(hasProblems ? `Error: ${title}` : title, main, hasProblems ? 400 : 200)
}

/** The same whether the address is new here or has an account. */
export async function lookIntoMailPage(email: string): Promise<Response> {
  return await page(
    'Look into your mail',
    html`<h1>Look into your mail</h1>
<p>A mail is on its way to <strong>${email}</strong>. The link in it works for a day.</p>`,
  )
}

/** For a link that never was, was revoked, used up or is too old: nobody learns which. */
export async function noAdmissionPage(): Promise<Response> {
  return await page(
    'This link does not work',
    html`<h1>This link does not work</h1>
<p>Perhaps it was used or taken back, or it is too old. Whoever invited you can make another one.</p>
<p>If you have an account already, log in with any Zulip app.</p>`,
    404,
  )
}
