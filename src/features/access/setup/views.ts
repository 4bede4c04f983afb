import { html } from 'hono/html'
import { mailTime } from '#features/foundation/mail/times.ts'
import { loginPath, logoutPath } from '#features/foundation/sessions/entering.pages.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { emailField, type Field, input, nameField, passwordField } from '#platform/pages/fields.ts'
import { filled, formPage, type Html, headedPage, page } from '#platform/pages/html.ts'
import { isLoopback } from '#shared/loopback.ts'
import { type Sentence, type Translator, text } from '#translations/translate.ts'
import type { NewOrganization } from './actions.ts'

const fields: readonly Field<keyof NewOrganization>[] = [
  {
    name: 'organization',
    key: 'organization',
    label: text('Organization name'),
    hint: text('Your team, company or club. You can change it later.'),
    type: 'text',
    autocomplete: 'organization',
  },
  nameField,
  emailField,
  passwordField,
]

/**
 * The form for the first owner, with the problems of the last submission.
 *
 * @param bring the path to import an organization instead
 */
export async function setupForm(
  language: Translator,
  token: string,
  values: NewOrganization,
  problems: Partial<Record<keyof NewOrganization, Sentence>>,
  bring: string | undefined,
): Promise<Response> {
  const hasProblems = Object.keys(problems).length > 0
  const { t } = language
  const main = html`<p>${t('You will be its owner. Everything stays on this server.')}</p>
${hasProblems ? html`<p role="alert">${t('Please correct the fields marked below.')}</p>` : ''}
<form method="post" action="/setup">
<input type="hidden" name="token" value="${token}">
${fields.map((field) => input(language, field, values[field.key], problems[field.key]))}
<button type="submit">${t('Create the organization')}</button>
</form>
${
  bring &&
  html`<h2>${t('Moving from another chat app?')}</h2>
<p>${t('Bring your channels, people, messages and files with you.')}</p>
<p><a class="button plain" href="${bring}">${t('Import your team')}</a></p>`
}`
  return await formPage(language, t('Set up your organization'), hasProblems, main)
}

interface ConnectForms {
  readonly seal: Html
  /** The path that the invitation form posts to; undefined if the user may not create links. */
  readonly invite: string | undefined
}

/** Explains to a logged-in user how to connect clients. */
export async function connectPage(
  language: Translator,
  user: User,
  site: string,
  { seal, invite }: ConnectForms,
): Promise<Response> {
  const { t } = language
  return await headedPage(
    language,
    t('Connect your apps'),
    html`<p>${t('You are logged in as {name}.', { name: user.fullName })} <a href="/">${t('Back to the chat')}</a></p>
<h2>${t('Mobile and desktop apps')}</h2>
<p>${t('Add an account in any Zulip app, and log in with these and your password:')}</p>
<dl>
<dt>${t('Server address')}</dt><dd><code>${site}</code></dd>
<dt>${t('Email address')}</dt><dd><code>${user.email}</code></dd>
</dl>
${loopbackNote(language, site, t('Only this computer can open this address: apps on other devices cannot connect before the address of the server, PARLEY_URL, is set.'))}
<h2>${t('Bots, scripts and terminals')}</h2>
<p>${filled(
      t(
        'They read the server address and your API key from a file called {file}. Anyone who has this file can act as you, so keep it private.',
      ),
      { file: html`<code>zuliprc</code>` },
    )}</p>
<p><a class="button plain" href="/connect/zuliprc" download="zuliprc">${t('Download zuliprc')}</a></p>
${invite === undefined ? '' : morePeople(language, seal, invite)}
<form method="post" action="${logoutPath}">
${seal}
<button type="submit" class="text">${t('Log out')}</button>
</form>`,
  )
}

function morePeople({ t }: Translator, seal: Html, action: string): Html {
  return html`<h2>${t('Invite people')}</h2>
<p>${t('Anyone with an invitation link can join as a member.')}</p>
<form method="post" action="${action}">
${seal}
<button type="submit" class="plain">${t('Create an invitation link')}</button>
</form>`
}

/**
 * Shows a new invitation link.
 *
 * @param expiresAt seconds since the epoch; null: never
 */
export async function invitationPage(
  language: Translator,
  link: string,
  expiresAt: number | null,
): Promise<Response> {
  const { t } = language
  return await headedPage(
    language,
    t('Invitation link'),
    html`<p>${
      expiresAt === null
        ? t('Send this link to the people you want to invite. Anyone who has it can join:')
        : t(
            'Send this link to the people you want to invite. Anyone who has it can join until {time}:',
            {
              time: mailTime(language, expiresAt * 1000, ''),
            },
          )
    }</p>
<pre>${link}</pre>
${loopbackNote(language, link, t('Only this computer can open this address. Set the address of the server, PARLEY_URL, before you invite others.'))}
<p><a href="/connect">${t('Back')}</a></p>`,
  )
}

/** Says that others cannot open an address, and where to read what helps; nothing if they can. */
function loopbackNote({ t }: Translator, address: string, meaning: string): Html | string {
  if (!isLoopback(address)) return ''
  return html`<p class="problem">${meaning}
<a href="/help/on-the-internet">${t('How to put the server on the internet')}</a></p>`
}

/** For visitors without the setup link, before the organization exists. */
export async function noOrganizationPage(language: Translator): Promise<Response> {
  const { t } = language
  return await page(
    language,
    t('Not set up yet'),
    html`<h1>${t('This server is not set up yet')}</h1>
<p>${t('To set it up, open the link that the server printed when it started.')}</p>`,
  )
}

/** For a setup link that is wrong, expired or used, and for visitors without a session. */
export async function staleLinkPage(language: Translator): Promise<Response> {
  const { t } = language
  return await headedPage(
    language,
    t('This link is not valid'),
    html`<p>${t('A setup link works once, and only until the server restarts. Open the link that the server printed when it last started. If your organization is already set up, you can log in.')}</p>
<a class="button" href="${loginPath}">${t('Log in')}</a>`,
    403,
  )
}
