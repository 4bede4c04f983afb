import { html } from 'hono/html'
import { bringPath } from '#features/access/setup/pages.ts'
import type { User } from '#features/foundation/users/queries.ts'
import type { ImportedPerson } from '#features/organization/imports/owner.actions.ts'
import { reasons, tableNames } from '#features/organization/imports/report.ts'
import type { ImportReport } from '#features/organization/imports/summary.ts'
import { alert, emailField, input, nameField, passwordField } from '#platform/pages/fields.ts'
import { filled, type Html, page } from '#platform/pages/html.ts'
import {
  formatLocale,
  type Sentence,
  type Text,
  type Translator,
  text,
  texts,
} from '#translations/translate.ts'
import type { Found, Progress } from './bringing.actions.ts'
import type { Inbox } from './inbox.ts'

export const paths = {
  confirm: `${bringPath}/confirm`,
  enter: `${bringPath}/enter`,
  links: `${bringPath}/links`,
  look: `${bringPath}/look`,
  script: `${bringPath}/script.js`,
  start: `${bringPath}/start`,
  state: `${bringPath}/state`,
  stop: `${bringPath}/stop`,
  upload: `${bringPath}/upload`,
} as const

const title = text('Import your team')

/** Everything happens in the background: without a script, people look again. */
const needsScript = ({ t }: Translator) =>
  html`<noscript><p role="alert">${filled(
    t(
      'This page needs JavaScript. Without it, copy the export to the server and run {command} there.',
    ),
    { command: html`<code>parley import</code>` },
  )}</p></noscript>`

const scripted = (language: Translator, heading: string, main: Html, status = 200) =>
  page(language, heading, main, status, paths.script)

const hidden = (key: string) => html`<input type="hidden" name="token" value="${key}">`

/** `12 MB`, as people write it. */
function sizeText({ language }: Translator, bytes: number): string {
  const [unit, size] = bytes < 1e10 ? (['megabyte', 1e6] as const) : (['gigabyte', 1e9] as const)
  const maximumFractionDigits = bytes < 1e7 ? 1 : 0
  const format = new Intl.NumberFormat(formatLocale(language), {
    style: 'unit',
    unit,
    maximumFractionDigits,
  })
  return format.format(bytes / size)
}

/** How to get an export of each system. */
const origins: readonly (readonly [system: string, how: Text, code?: string])[] = [
  ['Slack', text('The zip file that workspace administrators download from the “Export” page.')],
  ['Zulip', text('The archive of a data export, or of {command}.'), 'manage.py export'],
  ['Mattermost', text('The output of {command}, with attachments.'), 'mmctl export create'],
  [
    'Discord',
    text('The folder that {command} writes as JSON with media, packed as a zip file.'),
    'DiscordChatExporter',
  ],
  [
    'Rocket.Chat',
    text('The folder that {command} writes for its database, packed as an archive.'),
    'mongodump',
  ],
  ['Campfire', text('The folder {command} of its server, packed as an archive.'), 'storage'],
]

/** What the script says. */
const scriptTexts = texts({
  uploading: 'Uploading: {received} of {length}',
  retrying: 'Connection lost. Trying again …',
  lost: 'Connection lost. Choose the file again to continue where it stopped.',
  failed: 'Connection lost. Try again.',
  gone: 'The server no longer has the beginning of this file. Upload it again.',
  refused: 'The server answered with {status}.',
})

/** Choosing the file. @param isOwner whether there is an organization that would be replaced */
export async function choosingPage(
  language: Translator,
  key: string,
  inbox: Inbox,
  problem: Sentence | undefined,
  isOwner: boolean,
  status = 200,
): Promise<Response> {
  const { t } = language
  const file = inbox.current()
  const isWhole = file !== undefined && file.received === file.length
  const heading = t(title)
  const said = Object.entries(scriptTexts).map(([name, english]) => [name, t(english)])
  const main = html`<h1>${heading}</h1>
<p>${t('Import channels, people, messages and files from an export of Slack, Zulip, Mattermost, Discord, Rocket.Chat or Campfire. Nothing changes until you have seen what is in it.')}</p>
${needsScript(language)}
${alert(language, problem)}
<form method="post" action="${paths.look}" data-upload="${paths.upload}" data-begun="${file ? 'yes' : ''}" data-texts="${JSON.stringify(Object.fromEntries(said))}">
${hidden(key)}
<label for="file">${t('Export file')}</label>
<p class="hint" id="file-hint">${t('A zip or tar archive, or a JSON Lines file, of at most {size}: the server’s disk has no room for more.', { size: sizeText(language, inbox.room()) })} ${
    file && !isWhole
      ? t('{size} of {name} have been uploaded. Choose the same file again to continue.', {
          size: sizeText(language, file.received),
          name: file.name,
        })
      : ''
  }${isWhole ? t('{name} has been uploaded. Continue with it, or choose another file.', { name: file.name }) : ''}</p>
<input id="file" type="file" aria-describedby="file-hint" ${isWhole ? '' : html`required`}>
<details>
<summary>${t('How to get an export')}</summary>
<dl>${origins.map(
    ([system, how, code]) =>
      html`<dt>${system}</dt><dd>${filled(t(how), { command: html`<code>${code}</code>` })}</dd>`,
  )}</dl>
</details>
<details ${asksForTeam(problem) ? html`open` : ''}>
<summary>${t('More options')}</summary>
<label for="addresses">${t('Email addresses')}</label>
<p class="hint" id="addresses-hint">${t('For people whose address is not in the export. One person per line: a name or ID, a comma, and an email address. Everyone else gets a one-time link from you.')}</p>
<textarea id="addresses" name="addresses" rows="3" aria-describedby="addresses-hint" placeholder="Ann Example, ann@example.com"></textarea>
<label for="source_token">${t('Slack token')}</label>
<p class="hint" id="token-hint">${t('Used to fetch email addresses and custom emoji. It is not stored.')}</p>
<input id="source_token" name="source_token" type="password" autocomplete="off" aria-describedby="token-hint">
<label for="team">${t('Team or server')}</label>
<p class="hint" id="team-hint">${t('Only if an export of Mattermost or Discord has several.')}</p>
<input id="team" name="team" autocomplete="off" aria-describedby="team-hint">
<label class="check"><input type="checkbox" name="no_threads" value="true"> ${t('Keep replies in the topic of the message they reply to')}</label>
</details>
<progress hidden aria-label="${t('Upload')}"></progress>
<p class="hint" role="status"></p>
<button type="submit">${isWhole ? t('Preview the import') : t('Upload and preview')}</button>
</form>
${file ? stopForm(key, t('Discard this file')) : ''}
<p><a href="${isOwner ? '/' : `/setup?token=${encodeURIComponent(key)}`}">${isOwner ? t('Back to the chat') : t('Start with an empty organization instead')}</a></p>`
  return await scripted(language, heading, main, status)
}

/** Whether a problem is solved by the field for a team, which it names the values of. */
const asksForTeam = (problem: Sentence | undefined) => problem?.values?.['teams'] !== undefined

const stopForm = (key: string, label: string) => html`<form method="post" action="${paths.stop}">
${hidden(key)}
<button type="submit" class="text">${label}</button>
</form>`

/** `Writing messages: 1,200 messages, 40%` */
export function progressText(language: Translator, { done, label, total, unit }: Progress): string {
  const { t, tn } = language
  // Steps are marked where they are reported.
  const step = t(text(label))
  if (total === 0) return step
  const format = new Intl.NumberFormat(formatLocale(language.language), { style: 'percent' })
  const percent = format.format(Math.min(1, Math.floor((done / total) * 100) / 100))
  if (unit === 'bytes')
    return t('{step}: {amount}, {percent}', { step, amount: sizeText(language, done), percent })
  if (unit === 'messages') {
    const amount = tn(done, '1 message', '{count} messages')
    return t('{step}: {amount}, {percent}', { step, amount, percent })
  }
  return t('{step}: {percent}', { step, percent })
}

/** While the server works. */
export async function workingPage(
  language: Translator,
  key: string,
  step: 'looking' | 'importing',
  progress: Progress,
): Promise<Response> {
  const { t } = language
  const heading = step === 'looking' ? t('Reading the export') : t('Importing')
  const { done, total } = progress
  const bar =
    total > 0
      ? html`<progress max="${total}" value="${done}" aria-label="${heading}"></progress>`
      : html`<progress aria-label="${heading}"></progress>`
  return await scripted(
    language,
    heading,
    html`<h1>${heading}</h1>
<p>${step === 'looking' ? t('Nothing has been changed yet.') : t('You can close this page. The import continues, and the same link brings you back here.')}</p>
<div data-watch="${paths.state}" data-token="${key}" data-step="${step}">
${bar}
<p class="hint" role="status">${progressText(language, progress)}</p>
</div>
<noscript><p><a href="${bringPath}?token=${encodeURIComponent(key)}">${t('Refresh')}</a></p></noscript>
${stopForm(key, t('Stop'))}`,
  )
}

/** The contents of the export, and the question which person in it the owner is. */
export async function foundPage(
  language: Translator,
  key: string,
  { people, report }: Found,
  owner: User | undefined,
  problem: Sentence | undefined,
  status = 200,
): Promise<Response> {
  const { t } = language
  const heading = t('What will be imported')
  const main = html`<h1>${heading}</h1>
<p>${filled(t('From {system}: {organization}.'), {
    system: html`${report.title}`,
    organization: html`<strong>${report.organization}</strong>`,
  })} ${t('Nothing has been changed yet.')}</p>
${alert(language, problem)}
${tables(language, report)}
<form method="post" action="${paths.start}">
${hidden(key)}
<label for="organization">${t('Organization name')}</label>
<input id="organization" name="organization" value="${report.organization}" required maxlength="40" autocomplete="organization">
<label for="person">${t('Which of these people are you?')}</label>
<p class="hint" id="person-hint">${t('You will be an owner of the organization.')}</p>
<select id="person" name="person" aria-describedby="person-hint">
${choices(language, people, owner)}
</select>
${owner ? replaced(language, owner) : newOwner(language)}
<button type="submit">${t('Start the import')}</button>
</form>
${stopForm(key, t('Choose another file'))}`
  return await scripted(language, heading, main, status)
}

const addressHint = text('You log in with this address. Leave empty to use the one in the export.')

const newOwner = (
  language: Translator,
) => html`<div data-stranger>${input(language, { ...nameField, hint: undefined }, '', undefined, false)}</div>
${input(language, { ...emailField, hint: addressHint }, '', undefined, false)}
${input(language, passwordField, '', undefined)}`

const replaced = (
  { t }: Translator,
  { email }: User,
) => html`<p class="hint">${t('You keep logging in as {email}, but have to set up two-factor authentication again.', { email })}
${t('The import replaces this organization and everything in it. People who have already joined it get in like everyone else in the export: by email, or with a link from you.')}</p>`

const ranks = ['owner', 'admin', 'moderator', 'member', 'guest']
const rankNames = texts({ owner: 'Owner', admin: 'Administrator' })

function choices(
  { t, language }: Translator,
  people: readonly ImportedPerson[],
  owner: User | undefined,
): Html {
  const sorted = people.toSorted(
    (a, b) =>
      ranks.indexOf(a.role) - ranks.indexOf(b.role) || a.name.localeCompare(b.name, language),
  )
  const own =
    owner && sorted.find(({ email }) => email?.toLowerCase() === owner.email.toLowerCase())
  return html`${sorted.map(
    ({ email, key, name, role }) =>
      html`<option value="${key}" data-email="${email ?? ''}" ${key === own?.key ? html`selected` : ''}>${name}${role === 'owner' || role === 'admin' ? ` (${t(rankNames[role])})` : ''}${email === undefined ? '' : ` · ${email}`}</option>
`,
  )}<option value="">${t('I am not in the export')}</option>`
}

/** The report, and the way in. */
export async function donePage(
  language: Translator,
  key: string,
  report: ImportReport,
  awaited: number,
): Promise<Response> {
  const { t } = language
  const heading = t('Your team is here')
  return await scripted(
    language,
    heading,
    html`<h1>${heading}</h1>
<p>${t('{organization} was imported from {system}.', { organization: report.organization, system: report.title })}</p>
${tables(language, report)}
${awaited === 0 ? '' : invitation(language, key, awaited)}
<form method="post" action="${paths.enter}">
${hidden(key)}
<button type="submit">${t('Go to the chat')}</button>
</form>`,
  )
}

const invitation = (
  { t, tn }: Translator,
  key: string,
  awaited: number,
) => html`<h2>${t('Let people in')}</h2>
<p>${tn(awaited, 'One person has an account but no password yet.', '{count} people have accounts but no passwords yet.')}
${t('If the server sends email, they can ask for a password on the login page. With single sign-on, they just log in. Everyone else needs a link from you. A link works once, for 30 days, or until you download new ones. You can do that later in the organization settings as well.')}</p>
<form method="post" action="${paths.links}">
${hidden(key)}
<button type="submit" class="plain">${t('Download links')}</button>
</form>`

type Counts = ImportReport['tables'][keyof ImportReport['tables']]

/** What is not in the export, and how the first of it came. */
function toFetch(
  { t }: Translator,
  system: string,
  name: string,
  { toFetch: counts }: NonNullable<Counts>,
): string[] {
  if (!counts) return []
  const { count, tried } = counts
  if (tried === 'fetched') {
    return [
      t('{name}: {count} to be fetched from {system}. The first one could be fetched.', {
        name,
        count,
        system,
      }),
    ]
  }
  const reason = t(reasons[tried])
  return [
    t('{name}: {count} to be fetched from {system}. The first one failed: {reason}.', {
      name,
      count,
      system,
      reason,
    }),
  ]
}

function tables(
  language: Translator,
  { tables: all, nextSteps, isTrial, title }: ImportReport,
): Html {
  const { number, t } = language
  const rows = Object.entries(all).map(([name, counts]) => ({
    name: t(tableNames[name as keyof typeof tableNames]),
    counts,
    notes: noted(language, counts),
  }))
  const left = rows.filter(({ notes }) => notes.length > 0)
  const elsewhere = rows.flatMap(({ counts, name }) => toFetch(language, title, name, counts))
  const steps = isTrial ? nextSteps : []
  return html`<table>
<thead><tr><th scope="col"><span class="unseen">${t('Type')}</span></th><th scope="col">${isTrial ? t('To import') : t('Imported')}</th><th scope="col">${t('Left out')}</th></tr></thead>
<tbody>
${rows.map(
  ({ name, counts: { imported, read, toFetch } }) =>
    html`<tr><th scope="row">${name}</th><td>${number(imported)}</td><td>${number(read - imported - (toFetch?.count ?? 0))}</td></tr>
`,
)}</tbody>
</table>
${elsewhere.map((line) => html`<p class="hint">${line}</p>`)}
${left.length === 0 ? '' : html`<details><summary>${t('What is left out or changed')}</summary>${left.map(({ name, notes }) => html`<h2>${name}</h2><ul>${notes.map((line) => html`<li>${line}</li>`)}</ul>`)}</details>`}
${steps.map((step) => html`<p class="hint">${t(text(step))}</p>`)}`
}

/** Why things of a table are left out or changed, a line for each reason. */
function noted({ t }: Translator, counts: Counts): string[] {
  if (!counts) return []
  const lines = (all: typeof counts.skipped, said: readonly [plain: Text, such: Text]) =>
    Object.entries(all).map(([name, { count, examples }]) => {
      const reason = t(reasons[name as keyof typeof reasons])
      if (examples.length === 0) return t(said[0], { count, reason })
      return t(said[1], { count, reason, examples: examples.join('; ') })
    })
  return [...lines(counts.skipped, leftOut), ...lines(counts.changed, changed)]
}

const leftOut = texts([
  '{count} left out: {reason}',
  '{count} left out: {reason}, such as {examples}',
])
const changed = texts([
  '{count} changed: {reason}',
  '{count} changed: {reason}, such as {examples}',
])

/** The page for an owner who has not entered their password. */
export async function ownerPage(
  language: Translator,
  seal: Html,
  facts: {
    readonly isOwner: boolean
    readonly isUnused: boolean
    readonly awaited: number
    readonly hasPassword: boolean
    readonly problem: Sentence | undefined
  },
): Promise<Response> {
  const { awaited, hasPassword, isOwner, isUnused, problem } = facts
  const { t, tn } = language
  const own = (id: string) =>
    hasPassword
      ? html`<label for="${id}">${t('Your password')}</label>
<input id="${id}" name="password" type="password" autocomplete="current-password" required>`
      : ''
  const form = (
    wanted: string,
    label: string,
  ) => html`<form method="post" action="${paths.confirm}">
${seal}
<input type="hidden" name="wanted" value="${wanted}">
${own(`password-${wanted}`)}
<button type="submit" ${wanted === 'links' ? html`class="plain"` : ''}>${label}</button>
</form>`
  const status = problem === undefined ? 200 : 400
  const heading = t(title)
  const main = !isOwner
    ? html`<p>${t('Only owners of the organization can do this.')}</p>`
    : html`${
        isUnused
          ? html`<p>${t('Nobody has posted here yet, so you can still replace this organization with an import from Slack, Zulip, Mattermost, Discord, Rocket.Chat or Campfire.')}</p>${form('import', t('Continue'))}`
          : html`<p>${t('An import replaces the whole organization, so it is only possible before anyone has posted. Someone has posted here.')}</p>`
      }${
        awaited === 0
          ? ''
          : html`<h2>${t('Let people in')}</h2>
<p>${tn(awaited, 'One imported person has never logged in.', '{count} imported people have never logged in.')}
${t('With a link from you, they choose a password. A link works once, for 30 days, or until you download new ones.')}</p>${form('links', t('Download links'))}`
      }`
  return await page(
    language,
    heading,
    html`<h1>${heading}</h1>${alert(language, problem)}${main}<p><a href="/">${t('Back to the chat')}</a></p>`,
    status,
  )
}

/** For a server that keeps nothing on disk. */
export async function unavailablePage(language: Translator): Promise<Response> {
  const { t } = language
  return await page(
    language,
    t(title),
    html`<h1>${t(title)}</h1><p>${t('This server keeps everything in memory, so nothing can be imported.')}</p>`,
    404,
  )
}
