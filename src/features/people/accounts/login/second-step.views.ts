import { html } from 'hono/html'
import { loginPath } from '#features/access/sessions/entering.pages.ts'
import type { QrCode } from '#features/access/two-factor/codes.ts'
import { type Field, input } from '#platform/pages/fields.ts'
import { type Html, page } from '#platform/pages/html.ts'

/** Where the forms of the second step are sent. */
export const codePath = '/accounts/login/code/'
export const enrolmentPath = '/accounts/login/enrolment/'
export const enrolledPath = '/accounts/login/enrolled/'

/** The field for a code of an app. */
export const codeField: Field = {
  name: 'code',
  key: 'code',
  label: 'Code',
  hint: 'The six digits that your app shows now, or a recovery code.',
  type: 'text',
  autocomplete: 'one-time-code',
}

interface Shown {
  readonly seal: Html
  /** The secret of the log-in that waits. */
  readonly attempt: string
  readonly problem?: string | undefined
}

async function formPage(
  { seal, attempt, problem }: Shown,
  form: { title: string; action: string; intro: Html; fields: readonly Field[]; button: string },
): Promise<Response> {
  const { title, action, intro, fields, button } = form
  const main = html`<h1>${title}</h1>
${intro}
${problem ? html`<p role="alert">${problem}</p>` : ''}
<form method="post" action="${action}">
${seal}
<input type="hidden" name="attempt" value="${attempt}">
${fields.map((field) => input(field, '', undefined))}
<button type="submit">${button}</button>
</form>`
  return await page(problem ? `Error: ${title}` : title, main, problem ? 400 : 200)
}

/** Asks for the code of somebody's app. */
export async function codePage(shown: Shown): Promise<Response> {
  return await formPage(shown, {
    title: 'Two-factor authentication',
    action: codePath,
    intro: html``,
    fields: [codeField],
    button: 'Log in',
  })
}

interface Enrolment extends Shown {
  readonly organization: string
  readonly qr: QrCode
  /** In base32, for those who cannot scan. */
  readonly secret: string
}

/** Has somebody set up their second factor before they are let in. */
export async function enrolmentPage(shown: Enrolment): Promise<Response> {
  const { organization, qr, secret } = shown
  return await formPage(shown, {
    title: 'Set up two-factor authentication',
    action: enrolmentPath,
    intro: html`<p>${organization} requires it. Scan this with an app that makes codes, or type the key
into it: <code id="secret">${secret}</code></p>
<svg viewBox="0 0 ${qr.size} ${qr.size}" width="240" height="240" role="img" aria-label="QR code">
<path fill="#fff" d="M0 0h${qr.size}v${qr.size}h-${qr.size}z"/><path d="${qr.path}"/></svg>`,
    fields: [{ ...codeField, hint: 'The six digits that the app shows now.' }],
    button: 'Continue',
  })
}

/** Shows the recovery codes, once. */
export async function recoveryCodesPage(
  shown: Shown & { readonly codes: readonly string[] },
): Promise<Response> {
  return await formPage(shown, {
    title: 'Keep these recovery codes',
    action: enrolledPath,
    intro: html`<p>Each lets you in once if you lose your app. Nobody can show them again.</p>
<pre id="codes">${shown.codes.join('\n')}</pre>`,
    fields: [],
    button: 'I have kept them',
  })
}

/** For a log-in that is unknown, over, or of another browser. */
export async function overPage(): Promise<Response> {
  const title = 'This log-in is over'
  return await page(
    title,
    html`<h1>${title}</h1>
<p>It took too long, was used already, or began in another browser. Please begin again.</p>
<a class="button" href="${loginPath}">Log in</a>`,
    400,
  )
}
