import { html } from 'hono/html'
import type { User } from '#features/foundation/users/queries.ts'
import { alert } from '#platform/pages/fields.ts'
import { filled, type Html, headedPage, page } from '#platform/pages/html.ts'
import type { Sentence, Translator } from '#translations/translate.ts'

interface ConsentPage {
  readonly language: Translator
  /** Its own, with the query. */
  readonly address: string
  /** The CSRF token of the session. */
  readonly token: string
  /** The name of the program, safe to show. */
  readonly name: string
  /** Where the answer goes; undefined: a program on the same computer. */
  readonly target: string | undefined
  readonly wantsWrite: boolean
  readonly user: User
  readonly organization: string
  /** The problem with the last submission. */
  readonly problem: Sentence | undefined
}

/** Asks someone whether an assistant may act for them. */
export async function consentPage(shown: ConsentPage): Promise<Response> {
  const { language, address, token, wantsWrite, user, problem } = shown
  const { t } = language
  const name = html`<bdi>${shown.name}</bdi>`
  const values = { name, organization: html`<bdi>${shown.organization}</bdi>` }
  const title = t('Connect an assistant')
  const content = html`<h1>${filled(t('Connect {name}?'), values)}</h1>
${alert(language, problem)}
<p>${filled(
    t(
      'This assistant asks to act for you at {organization}, within your rights. The name is what it calls itself: nobody has checked it.',
    ),
    values,
  )}</p>
<p>${target(language, shown.target)}</p>
<form method="post" action="${address}">
<input type="hidden" name="form" value="${token}">
${wantsWrite ? choice(language) : html`<p>${t('It asks to read what you can read, and can change nothing.')}</p>`}
<p>${t('It cannot administer the organization, and does not learn your password. You can disconnect it at any time in your settings.')}</p>
<p class="hint">${filled(t('You are logged in as {name} ({email}).'), {
    name: html`<bdi>${user.fullName}</bdi>`,
    email: html`${user.email}`,
  })}</p>
<button name="decision" value="allow">${t('Allow')}</button>
<button class="plain" name="decision" value="refuse">${t('Cancel')}</button>
</form>`
  return await page(language, title, content, problem ? 400 : 200, undefined, address)
}

function target({ t }: Translator, host: string | undefined): Html {
  return host === undefined
    ? html`${t('The answer goes to a program on this computer. Allow this only if you have just asked it to connect.')}`
    : html`${filled(
        t('The answer goes to {target}. Allow this only if you have just asked for it there.'),
        { target: html`<strong><bdi>${host}</bdi></strong>` },
      )}`
}

function choice({ t }: Translator): Html {
  return html`<label class="check"><input type="radio" name="access" value="write" checked>
<span>${t('Read what you can read, and write in your name')}</span></label>
<label class="check"><input type="radio" name="access" value="read"><span>${t('Read only')}</span></label>`
}

/** For someone whom the organization does not let connect assistants. @param back where to tell it */
export async function refusedPage(language: Translator, back: string): Promise<Response> {
  const { t } = language
  return await headedPage(
    language,
    t('You cannot connect assistants'),
    html`<p>${t('Administrators of the organization decide who can connect assistants. Ask one of them.')}</p>
<a class="button" href="${back}">${t('Back to the assistant')}</a>`,
    403,
  )
}

/** For a request of a program that is not registered, or with an address that is not its own. */
export async function brokenPage(language: Translator): Promise<Response> {
  const { t } = language
  return await headedPage(
    language,
    t('This assistant is not known here'),
    html`<p>${t('It asks with an address that it has not registered, or its registration has expired. Remove this server in the assistant, and add it again.')}</p>`,
    400,
  )
}
