import { html } from 'hono/html'
import { emailField, type Field, input, passwordField } from '#web/fields.ts'
import { type Html, page } from '#web/html.ts'

interface Form {
  readonly seal: Html
  /** Where the form goes. */
  readonly action: string
  /** What was wrong with it the last time. */
  readonly problem?: string
}

/** Where somebody says which account's password they forgot. */
export async function forgottenForm(form: Form): Promise<Response> {
  const field = { ...emailField, hint: 'We send a link to it.' }
  return await formPage(form, 'Forgotten your password?', [field], 'Send the link')
}

/** Where somebody who opened the link chooses another password. */
export async function passwordForm(form: Form): Promise<Response> {
  return await formPage(form, 'Choose a new password', [passwordField], 'Save and log in')
}

/** Where somebody who opened the link in a mail says that they want this address. */
export async function confirmForm(form: Form, email: string): Promise<Response> {
  const intro = html`<p>Your account gets the address <strong>${email}</strong>.</p>`
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

/** The same for every address, known or not. */
export async function mailSentPage(): Promise<Response> {
  return await page(
    'Look into your mail',
    html`<h1>Look into your mail</h1>
<p>If this address has an account here, a mail is on its way. The link in it works for a day.</p>`,
  )
}

export async function confirmedPage(email: string): Promise<Response> {
  return await page(
    'Your new address',
    html`<h1>Your new address</h1>
<p>From now on you log in with <strong>${email}</strong>.</p>`,
  )
}

/** For a link that never was, was used, or is too old. */
export async function staleMailPage(): Promise<Response> {
  return await page(
    'This link does not work',
    html`<h1>This link does not work</h1>
<p>Links in mail work once, and for a day. Ask for another one.</p>`,
    404,
  )
}

/** For a server that cannot send a link. */
export async function noMailPage(): Promise<Response> {
  return await page(
    'No mail here',
    html`<h1>This server sends no mail</h1>
<p>Whoever runs it can help you.</p>`,
    404,
  )
}
