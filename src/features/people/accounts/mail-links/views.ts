import { html } from 'hono/html'
import { emailField, type Field, input, passwordField } from '#platform/pages/fields.ts'
import { type Html, page } from '#platform/pages/html.ts'

interface Form {
  readonly seal: Html
  /** The path that the form posts to. */
  readonly action: string
  /** The problem with the last submission. */
  readonly problem?: string
}

/** Asks for the address of the account whose password is forgotten. */
export async function forgottenForm(form: Form): Promise<Response> {
  const field = { ...emailField, hint: 'We will send a link to this address.' }
  return await formPage(form, 'Forgot your password?', [field], 'Send the link')
}

/** Asks a user who opened a reset link for a new password. */
export async function passwordForm(form: Form): Promise<Response> {
  return await formPage(form, 'Choose a new password', [passwordField], 'Save and log in')
}

/** Asks a user who opened a confirmation link to confirm the new address. */
export async function confirmForm(form: Form, email: string): Promise<Response> {
  const intro = html`<p>The new address of your account will be <strong>${email}</strong>.</p>`
  return await formPage(form, 'Confirm your new address', [], 'Use this address', intro)
}

async function formPage(
  { seal, action, problem }: Form,
  title: string,
  fields: readonly Field[],
  button: string,
  intro: Html | '' = '',
): Promise<Response> {
  const main = html`<h1>${title}</h1>
${intro}
${problem ? html`<p role="alert">${problem}</p>` : ''}
<form method="post" action="${action}">
${seal}
${fields.map((field) => input(field, '', undefined))}
<button type="submit">${button}</button>
</form>`
  return await page(problem ? `Error: ${title}` : title, main, problem ? 400 : 200)
}

/** The same page whether or not the address has an account. */
export async function mailSentPage(): Promise<Response> {
  return await page(
    'Check your mail',
    html`<h1>Check your mail</h1>
<p>If an account has this address, we have sent it a mail. The link in it is valid for a day.</p>`,
  )
}

export async function confirmedPage(email: string): Promise<Response> {
  return await page(
    'Your new address',
    html`<h1>Your new address</h1>
<p>From now on you log in with <strong>${email}</strong>.</p>`,
  )
}

/** For a link that is unknown, used or expired. */
export async function staleMailPage(): Promise<Response> {
  return await page(
    'This link is not valid',
    html`<h1>This link is not valid</h1>
<p>Links in mail work once, within a day. Please request a new one.</p>`,
    404,
  )
}

/** For a server that cannot send mail. */
export async function noMailPage(): Promise<Response> {
  return await page(
    'No mail',
    html`<h1>This server cannot send mail</h1>
<p>Ask its administrator for help.</p>`,
    404,
  )
}
