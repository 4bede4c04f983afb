import { html } from 'hono/html'
import { loginPath } from '#features/foundation/sessions/entering.pages.ts'
import { alert, emailField, type Field, input, passwordField } from '#platform/pages/fields.ts'
import { filled, formPage, type Html, headedPage, page } from '#platform/pages/html.ts'
import { type Sentence, type Translator, text } from '#translations/translate.ts'

interface Form {
  readonly language: Translator
  readonly seal: Html
  /** The path that the form posts to. */
  readonly action: string
  /** The problem with the last submission. */
  readonly problem?: Sentence
}

/** Asks for the address of the account whose password is forgotten. */
export async function forgottenForm(form: Form): Promise<Response> {
  const { t } = form.language
  const field = { ...emailField, hint: text('We will send a link to this address.') }
  return await askingPage(form, t('Forgot your password?'), [field], t('Send the link'))
}

/** Asks a user who opened a reset link for a new password. */
export async function passwordForm(form: Form): Promise<Response> {
  const { t } = form.language
  return await askingPage(form, t('Choose a new password'), [passwordField], t('Save and log in'))
}

/** Asks a user who opened a confirmation link to confirm the new address. */
export async function confirmForm(form: Form, email: string): Promise<Response> {
  const { t } = form.language
  const intro = html`<p>${filled(t('The new address of your account will be {email}.'), {
    email: html`<strong>${email}</strong>`,
  })}</p>`
  return await askingPage(form, t('Confirm your new address'), [], t('Use this address'), intro)
}

async function askingPage(
  { language, seal, action, problem }: Form,
  title: string,
  fields: readonly Field[],
  button: string,
  intro: Html | '' = '',
): Promise<Response> {
  const main = html`${intro}
${alert(language, problem)}
<form method="post" action="${action}">
${seal}
${fields.map((field) => input(language, field, '', undefined))}
<button type="submit">${button}</button>
</form>`
  return await formPage(language, title, problem !== undefined, main)
}

/** The same page whether or not the address has an account. */
export async function mailSentPage(language: Translator): Promise<Response> {
  const { t } = language
  return await headedPage(
    language,
    t('Check your email'),
    html`<p>${t('If an account has this address, we have sent it an email. The link in it is valid for a day.')}</p>`,
  )
}

export async function confirmedPage(language: Translator, email: string): Promise<Response> {
  const { t } = language
  return await headedPage(
    language,
    t('Your new address'),
    html`<p>${filled(t('From now on, you log in with {email}.'), {
      email: html`<strong>${email}</strong>`,
    })}</p>`,
  )
}

/** For a link that is unknown, used or expired. */
export async function staleMailPage(language: Translator): Promise<Response> {
  const { t } = language
  return await headedPage(
    language,
    t('This link is not valid'),
    html`<p>${t('Links in emails work once, within a day. Please request a new one.')}</p>`,
    404,
  )
}

/** For a server that cannot send mail. */
export async function noMailPage(language: Translator): Promise<Response> {
  const { t } = language
  return await page(
    language,
    t('No email'),
    html`<h1>${t('This server cannot send email')}</h1>
<p>${t('Ask its administrator for help.')}</p>
<a class="button" href="${loginPath}">${t('Log in')}</a>`,
    404,
  )
}
