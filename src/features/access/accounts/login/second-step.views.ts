import { html } from 'hono/html'
import type { QrCode } from '#features/access/two-factor/codes.ts'
import { loginPath } from '#features/foundation/sessions/entering.pages.ts'
import { alert, type Field, input } from '#platform/pages/fields.ts'
import { filled, formPage, type Html, headedPage } from '#platform/pages/html.ts'
import { type Sentence, type Translator, text } from '#translations/translate.ts'

/** The path of the forms of the second step. */
export const codePath = '/accounts/login/code/'
export const enrolmentPath = '/accounts/login/enrolment/'
export const enrolledPath = '/accounts/login/enrolled/'

/** The field for a code of an app. */
export const codeField: Field = {
  name: 'code',
  key: 'code',
  label: text('Code'),
  hint: text('The six digits that your app shows now, or a recovery code.'),
  type: 'text',
  autocomplete: 'one-time-code',
}

interface SecondStepPage {
  readonly language: Translator
  readonly seal: Html
  /** The secret of the waiting log-in. */
  readonly attempt: string
  readonly problem?: Sentence | undefined
}

async function stepPage(
  { language, seal, attempt, problem }: SecondStepPage,
  form: { title: string; action: string; intro: Html; fields: readonly Field[]; button: string },
): Promise<Response> {
  const { title, action, intro, fields, button } = form
  const main = html`${intro}
${alert(language, problem)}
<form method="post" action="${action}">
${seal}
<input type="hidden" name="attempt" value="${attempt}">
${fields.map((field) => input(language, field, '', undefined))}
<button type="submit">${button}</button>
</form>`
  return await formPage(language, title, problem !== undefined, main)
}

/** Asks for the code of someone's app. */
export async function codePage(shown: SecondStepPage): Promise<Response> {
  const { t } = shown.language
  return await stepPage(shown, {
    title: t('Two-factor authentication'),
    action: codePath,
    intro: html``,
    fields: [codeField],
    button: t('Log in'),
  })
}

interface Enrolment extends SecondStepPage {
  readonly organization: string
  readonly qr: QrCode
  /** In base32, for people who cannot scan. */
  readonly secret: string
}

/** Lets someone set up their second factor before the log-in ends. */
export async function enrolmentPage(shown: Enrolment): Promise<Response> {
  const { organization, qr, secret } = shown
  const { t } = shown.language
  return await stepPage(shown, {
    title: t('Set up two-factor authentication'),
    action: enrolmentPath,
    intro: html`<p>${filled(
      t(
        '{organization} requires it. Scan this with an authenticator app, or type the key into it: {key}',
      ),
      { organization: html`${organization}`, key: html`<code id="secret">${secret}</code>` },
    )}</p>
<svg viewBox="0 0 ${qr.size} ${qr.size}" width="240" height="240" role="img" aria-label="${t('QR code')}">
<path fill="#fff" d="M0 0h${qr.size}v${qr.size}h-${qr.size}z"/><path d="${qr.path}"/></svg>`,
    fields: [{ ...codeField, hint: text('The six digits that the app shows now.') }],
    button: t('Continue'),
  })
}

/** Shows the recovery codes, once. */
export async function recoveryCodesPage(
  shown: SecondStepPage & { readonly codes: readonly string[] },
): Promise<Response> {
  const { t } = shown.language
  return await stepPage(shown, {
    title: t('Keep these recovery codes'),
    action: enrolledPath,
    intro: html`<p>${t('Each code logs you in once if you lose your app. They are not shown again.')}</p>
<pre id="codes">${shown.codes.join('\n')}</pre>`,
    fields: [],
    button: t('I have saved them'),
  })
}

/** For a log-in that is unknown, over, or of another browser. */
export async function overPage(language: Translator): Promise<Response> {
  const { t } = language
  return await headedPage(
    language,
    t('This login has expired'),
    html`<p>${t('It took too long, was already used, or began in another browser. Please start again.')}</p>
<a class="button" href="${loginPath}">${t('Log in')}</a>`,
    400,
  )
}
