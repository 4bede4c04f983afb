import { html } from 'hono/html'
import { type Sentence, type Text, type Translator, text } from '#translations/translate.ts'
import type { Html } from './html.ts'
import { problemText } from './page-language.ts'

/** A field of a form. */
export interface Field<Key extends string = string> {
  /** Its name in the form. */
  readonly name: string
  /** The key of its value in the parsed form. */
  readonly key: Key
  readonly label: Text
  /** Undefined: there is nothing to add. */
  readonly hint: Text | undefined
  readonly type: string
  readonly autocomplete: string
}

/** The field for the full name of a new account. */
export const nameField: Field<'fullName'> = {
  name: 'full_name',
  key: 'fullName',
  label: text('Your name'),
  hint: text('Your name as others see it.'),
  type: 'text',
  autocomplete: 'name',
}

export const emailField: Field<'email'> = {
  name: 'email',
  key: 'email',
  label: text('Your email address'),
  hint: text('You log in with this address. No email is sent to it.'),
  type: 'email',
  autocomplete: 'email',
}

export const passwordField: Field<'password'> = {
  name: 'password',
  key: 'password',
  label: text('Password'),
  hint: text('At least 8 characters.'),
  type: 'password',
  autocomplete: 'new-password',
}

/** What was wrong with the last submission, above a form. */
export const alert = (language: Translator, problem: Sentence | undefined): Html | '' =>
  problem ? html`<p role="alert">${problemText(language, problem)}</p>` : ''

/** Renders a field with label, hint and error message. Passwords are never sent back. */
export function input(
  language: Translator,
  field: Field,
  value: string,
  problem: Sentence | undefined,
  isRequired = true,
): Html {
  const { t } = language
  const { name, label, hint, type, autocomplete } = field
  const described = [...(hint ? [`${name}-hint`] : []), ...(problem ? [`${name}-problem`] : [])]
  const isPassword = type === 'password'
  const shown = isPassword ? '' : value
  return html`<label for="${name}">${t(label)}</label>
${hint ? html`<p class="hint" id="${name}-hint">${t(hint)}</p>` : ''}
${problem ? html`<p class="problem" id="${name}-problem">${problemText(language, problem)}</p>` : ''}
<input id="${name}" name="${name}" type="${type}" value="${shown}" ${isRequired ? html`required` : ''}
 autocomplete="${autocomplete}" ${described.length > 0 ? html`aria-describedby="${described.join(' ')}"` : ''}
 ${problem ? html`aria-invalid="true"` : ''}${isPassword ? html` data-show="${t('Show password')}" data-hide="${t('Hide password')}" autocapitalize="off" spellcheck="false"` : ''}>
`
}
