import { html } from 'hono/html'
import { utcTime } from '#features/access/invites/mails.ts'
import { loginPath, logoutPath } from '#features/access/sessions/entering.pages.ts'
import type { User } from '#features/people/users/queries.ts'
import { emailField, type Field, input, nameField, passwordField } from '#platform/pages/fields.ts'
import { type Html, page } from '#platform/pages/html.ts'
import type { NewOrganization } from './actions.ts'

const fields: readonly Field<keyof NewOrganization>[] = [
  {
    name: 'organization',
    key: 'organization',
    label: 'Organization name',
    hint: 'Your team, company or club. You can change it later.',
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
 * @param bring where to import an organization instead
 */
export async function setupForm(
  token: string,
  values: NewOrganization,
  problems: Partial<Record<keyof NewOrganization, string>>,
  bring: string | undefined,
): Promise<Response> {
  const hasProblems = Object.keys(problems).length > 0
  const title = 'Set up your organization'
  const main = html`<h1>${title}</h1>
<p>You will be its owner. Everything stays on this server.</p>
${hasProblems ? html`<p role="alert">Please correct the fields marked below.</p>` : ''}
<form method="post" action="/setup">
<input type="hidden" name="token" value="${token}">
${fields.map((field) => input(field, values[field.key], problems[field.key]))}
<button type="submit">Create the organization</button>
</form>
${
  bring &&
  html`<h2>Coming from another chat?</h2>
<p>Channels, people, messages and files can come along from an export of it.</p>
<p><a class="button plain" href="${bring}">Bring your team along</a></p>`
}`
  return await page(hasProblems ? `Error: ${title}` : title, main, hasProblems ? 400 : 200)
}

interface ConnectForms {
  readonly seal: Html
  /** The path that the invitation form posts to; undefined if the user may not create links. */
  readonly invite: string | undefined
}

/** Explains to a logged-in user how to connect clients. */
export async function connectPage(
  user: User,
  site: string,
  { seal, invite }: ConnectForms,
): Promise<Response> {
  return await page(
    'Connect your apps',
    html`<h1>Connect your apps</h1>
<p>You are logged in as ${user.fullName}. <a href="/">Back to the chat</a></p>
<h2>Mobile and desktop apps</h2>
<p>Add an account in any Zulip app, and log in with these and your password:</p>
<dl>
<dt>Server address</dt><dd><code>${site}</code></dd>
<dt>Email address</dt><dd><code>${user.email}</code></dd>
</dl>
<h2>Bots, scripts and terminals</h2>
<p>They read the server address and your API key from a file called <code>zuliprc</code>. Anyone who
has this file can act as you, so keep it private.</p>
<p><a class="button plain" href="/connect/zuliprc" download="zuliprc">Download zuliprc</a></p>
${invite === undefined ? '' : morePeople(seal, invite)}
<form method="post" action="${logoutPath}">
${seal}
<button type="submit" class="text">Log out</button>
</form>`,
  )
}

function morePeople(seal: Html, action: string): Html {
  return html`<h2>Invite people</h2>
<p>Anyone with an invitation link can join as a member.</p>
<form method="post" action="${action}">
${seal}
<button type="submit" class="plain">Create an invitation link</button>
</form>`
}

/**
 * Shows a new invitation link.
 *
 * @param expiresAt seconds since the epoch; null: never
 */
export async function invitationPage(link: string, expiresAt: number | null): Promise<Response> {
  const end = expiresAt === null ? '' : ` until ${utcTime(expiresAt)}`
  return await page(
    'Invitation link',
    html`<h1>Invitation link</h1>
<p>Send this link to the people you want to invite. Anyone who has it can join${end}:</p>
<pre>${link}</pre>
<p><a href="/connect">Back</a></p>`,
  )
}

/** For visitors without the setup link, before the organization exists. */
export async function noOrganizationPage(): Promise<Response> {
  return await page(
    'Not set up yet',
    html`<h1>This server is not set up yet</h1>
<p>To set it up, open the link that the server printed when it started.</p>`,
  )
}

/** For a setup link that is wrong, expired or used, and for visitors without a session. */
export async function staleLinkPage(): Promise<Response> {
  return await page(
    'This link is not valid',
    html`<h1>This link is not valid</h1>
<p>A setup link works once, and only until the server restarts. Open the link that the server printed
when it last started. If your organization is set up, you can log in.</p>
<a class="button" href="${loginPath}">Log in</a>`,
    403,
  )
}
