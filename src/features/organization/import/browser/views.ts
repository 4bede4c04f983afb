import { html } from 'hono/html'
import { bringPath } from '#features/access/setup/pages.ts'
import { reasons } from '#features/organization/import/report.ts'
import type { ImportedPerson } from '#features/organization/import/stage.actions.ts'
import type { ImportReport } from '#features/organization/import/summary.ts'
import type { User } from '#features/people/users/queries.ts'
import { emailField, input, nameField, passwordField } from '#platform/pages/fields.ts'
import { type Html, page } from '#platform/pages/html.ts'
import { english } from '#platform/translation/catalogues.ts'
import { text } from '#translations/translate.ts'
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

const title = 'Bring your team along'
/** Everything happens in the background: without a script, people look again. */
const needsScript = html`<noscript><p role="alert">This page needs JavaScript. Without it, copy the export to the
server, and run <code>parley import</code> there.</p></noscript>`

const scripted = (heading: string, main: Html, status = 200) =>
  page(english, heading, main, status, paths.script)

const alert = (problem: string | undefined) =>
  problem === undefined ? '' : html`<p role="alert">${problem}</p>`

const hidden = (key: string) => html`<input type="hidden" name="token" value="${key}">`

const inMegabytes = (bytes: number) =>
  bytes < 1e10
    ? `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`
    : `${(bytes / 1e9).toFixed(0)} GB`

/** How to get an export of each system. */
const origins: readonly (readonly [system: string, how: Html])[] = [
  ['Slack', html`The zip archive from the “Export” page for workspace administrators.`],
  ['Zulip', html`The archive from its data exports, or from <code>manage.py export</code>.`],
  ['Mattermost', html`The output of <code>mmctl export create</code>, with attachments.`],
  [
    'Discord',
    html`The folder written by DiscordChatExporter as JSON, with media, packed as a zip archive.`,
  ],
  [
    'Rocket.Chat',
    html`The folder written by <code>mongodump</code> for its database, packed as an archive.`,
  ],
  ['Campfire', html`The folder <code>storage</code> of its server, packed as an archive.`],
]

/** Choosing the file. @param isOwner whether there is an organization that would be replaced */
export async function choosingPage(
  key: string,
  inbox: Inbox,
  problem: string | undefined,
  isOwner: boolean,
  status = 200,
): Promise<Response> {
  const file = inbox.current()
  const isWhole = file !== undefined && file.received === file.length
  const main = html`<h1>${title}</h1>
<p>Your channels, people, messages and files come from an export of Slack, Zulip, Mattermost, Discord, Rocket.Chat or
Campfire. Nothing is changed before you have seen what is in it.</p>
${needsScript}
${alert(problem)}
<form method="post" action="${paths.look}" data-upload="${paths.upload}" data-begun="${file ? 'yes' : ''}">
${hidden(key)}
<label for="file">The export</label>
<p class="hint" id="file-hint">A zip or tar archive, or a file of JSON Lines; at most ${inMegabytes(inbox.room())}, since more does not
fit on the disk.${file && !isWhole ? ` ${inMegabytes(file.received)} of ${file.name} are already uploaded: choose it again to continue.` : ''}${isWhole ? ` ${file.name} is uploaded: continue with it, or choose another.` : ''}</p>
<input id="file" type="file" aria-describedby="file-hint" ${isWhole ? '' : html`required`}>
<details>
<summary>How to get an export</summary>
<dl>${origins.map(([system, how]) => html`<dt>${system}</dt><dd>${how}</dd>`)}</dl>
</details>
<details>
<summary>More about this export</summary>
<label for="addresses">Addresses of people</label>
<p class="hint" id="addresses-hint">Where the export has none: lines with a name or an ID, and an address. Others get one-time
links from you.</p>
<textarea id="addresses" name="addresses" rows="3" aria-describedby="addresses-hint" placeholder="Ann Example, ann@example.com"></textarea>
<label for="source_token">Slack token</label>
<p class="hint" id="token-hint">Fetches addresses and custom emoji. It is not kept.</p>
<input id="source_token" name="source_token" type="password" autocomplete="off" aria-describedby="token-hint">
<label for="team">Team</label>
<p class="hint" id="team-hint">For a Mattermost export of several teams.</p>
<input id="team" name="team" autocomplete="off" aria-describedby="team-hint">
<label class="check"><input type="checkbox" name="no_threads" value="true"> Leave replies in the topic of what they reply to</label>
</details>
<progress hidden aria-label="Upload"></progress>
<p class="hint" role="status"></p>
<button type="submit">${isWhole ? 'See its contents' : 'Upload and see its contents'}</button>
</form>
${file ? stopForm(key, 'Discard this file') : ''}
<p><a href="${isOwner ? '/' : `/setup?token=${encodeURIComponent(key)}`}">${isOwner ? 'Back to the messages' : 'Start with an empty organization instead'}</a></p>`
  return await scripted(title, main, status)
}

const stopForm = (key: string, label: string) => html`<form method="post" action="${paths.stop}">
${hidden(key)}
<button type="submit" class="text">${label}</button>
</form>`

export function progressText({ done, label, total, unit }: Progress): string {
  if (total === 0) return label
  const percent = Math.min(100, Math.floor((done / total) * 100))
  const counted = unit === 'bytes' ? inMegabytes(done) : `${done.toLocaleString('en')} ${unit}`
  return unit === '' ? `${label}: ${percent} %` : `${label}: ${counted}, ${percent} %`
}

/** While the server works. */
export async function workingPage(
  key: string,
  step: 'looking' | 'importing',
  progress: Progress,
): Promise<Response> {
  const heading = step === 'looking' ? 'Looking at the export' : 'Importing everything'
  const { done, total } = progress
  const bar =
    total > 0
      ? html`<progress max="${total}" value="${done}" aria-label="${heading}"></progress>`
      : html`<progress aria-label="${heading}"></progress>`
  return await scripted(
    heading,
    html`<h1>${heading}</h1>
<p>${step === 'looking' ? 'Nothing has been changed yet.' : 'You can close this page: the import continues, and the same link leads back here.'}</p>
<div data-watch="${paths.state}" data-token="${key}" data-step="${step}">
${bar}
<p class="hint" role="status">${progressText(progress)}</p>
</div>
<noscript><p><a href="${bringPath}?token=${encodeURIComponent(key)}">Look again</a></p></noscript>
${stopForm(key, 'Stop')}`,
  )
}

/** The contents of the export, and the question which person in it the owner is. */
export async function foundPage(
  key: string,
  { people, report }: Found,
  owner: User | undefined,
  problem: string | undefined,
  status = 200,
): Promise<Response> {
  const main = html`<h1>What will be imported</h1>
<p>From ${report.title}: <strong>${report.organization}</strong>. Nothing has been changed yet.</p>
${alert(problem)}
${tables(report)}
<form method="post" action="${paths.start}">
${hidden(key)}
<label for="organization">Organization name</label>
<input id="organization" name="organization" value="${report.organization}" required maxlength="40" autocomplete="organization">
<label for="person">Who are you in it?</label>
<p class="hint" id="person-hint">You become an owner of the organization.</p>
<select id="person" name="person" aria-describedby="person-hint">
${choices(people, owner)}
</select>
${owner ? replaced(owner) : newOwner()}
<button type="submit">Bring everything along</button>
</form>
${stopForm(key, 'Choose another export')}`
  return await scripted('What will be imported', main, status)
}

const newOwner =
  () => html`<div data-stranger>${input(english, { ...nameField, hint: undefined }, '', undefined, false)}</div>
${input(english, { ...emailField, hint: text('You log in with this address. Empty: as in the export.') }, '', undefined, false)}
${input(english, passwordField, '', undefined)}`

const replaced = ({
  email,
}: User) => html`<p class="hint">You go on logging in as ${email}; a second factor
has to be set up again. The organization as it is now, in
which nobody has written yet, is replaced with everything in it: people who have joined it come back with the links or mails that
everybody in the export gets.</p>`

const ranks = ['owner', 'admin', 'moderator', 'member', 'guest']

function choices(people: readonly ImportedPerson[], owner: User | undefined): Html {
  const sorted = people.toSorted(
    (a, b) => ranks.indexOf(a.role) - ranks.indexOf(b.role) || a.name.localeCompare(b.name),
  )
  const own =
    owner && sorted.find(({ email }) => email?.toLowerCase() === owner.email.toLowerCase())
  return html`${sorted.map(
    ({ email, key, name, role }) =>
      html`<option value="${key}" data-email="${email ?? ''}" ${key === own?.key ? html`selected` : ''}>${name}${role === 'owner' || role === 'admin' ? ` (${role})` : ''}${email === undefined ? '' : `, ${email}`}</option>
`,
  )}<option value="">I am not in it</option>`
}

/** The report, and the way in. */
export async function donePage(
  key: string,
  report: ImportReport,
  awaited: number,
): Promise<Response> {
  return await scripted(
    'Your team is here',
    html`<h1>Your team is here</h1>
<p>${report.organization} has come from ${report.title}.</p>
${tables(report)}
${awaited === 0 ? '' : invitation(key, awaited)}
<form method="post" action="${paths.enter}">
${hidden(key)}
<button type="submit">Go in</button>
</form>`,
  )
}

const invitation = (key: string, awaited: number) => html`<h2>Let people in</h2>
<p>${awaited === 1 ? 'One person has' : `${awaited} people have`} an account and no password yet. Where the server sends mail,
they ask for one on the log-in page; an identity provider lets them in by their address. For the others, there are links, each of
which works once, for 30 days, or until you make them anew. The settings of the organization hand them out later as well.</p>
<form method="post" action="${paths.links}">
${hidden(key)}
<button type="submit" class="plain">Download links</button>
</form>`

type Counts = ImportReport['tables'][keyof ImportReport['tables']]

function tables({ tables: all, nextSteps, isTrial }: ImportReport): Html {
  const rows = Object.entries(all)
  const left = rows.filter(([, counts]) => noted(counts).length > 0)
  const steps = isTrial ? nextSteps.filter((step) => !/owner/.test(step)) : []
  return html`<table>
<thead><tr><th scope="col"><span class="unseen">What</span></th><th scope="col">${isTrial ? 'Comes' : 'Here'}</th><th scope="col">Left out</th></tr></thead>
<tbody>
${rows.map(
  ([name, { imported, read }]) =>
    html`<tr><th scope="row">${name}</th><td>${imported.toLocaleString('en')}</td><td>${(read - imported).toLocaleString('en')}</td></tr>
`,
)}</tbody>
</table>
${left.length === 0 ? '' : html`<details><summary>What is left out or changed</summary>${left.map(([name, counts]) => html`<h2>${name}</h2><ul>${noted(counts).map((line) => html`<li>${line}</li>`)}</ul>`)}</details>`}
${steps.map((step) => html`<p class="hint">${step}</p>`)}`
}

/** Why things of a table are left out or changed, a line for each reason. */
function noted(counts: Counts): string[] {
  if (!counts) return []
  const lines = (what: string, all: typeof counts.skipped) =>
    Object.entries(all).map(([reason, { count, examples }]) => {
      const such = examples.length > 0 ? `, such as ${examples.join('; ')}` : ''
      return `${count.toLocaleString('en')} ${what}: ${reasons[reason as keyof typeof reasons]}${such}`
    })
  return [...lines('left out', counts.skipped), ...lines('changed', counts.changed)]
}

/** The page for an owner who has not entered their password. */
export async function ownerPage(
  seal: Html,
  facts: {
    readonly isOwner: boolean
    readonly isUnused: boolean
    readonly awaited: number
    readonly hasPassword: boolean
    readonly problem: string | undefined
  },
): Promise<Response> {
  const { awaited, hasPassword, isOwner, isUnused, problem } = facts
  const own = (id: string) =>
    hasPassword
      ? html`<label for="${id}">Your password</label>
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
  const main = !isOwner
    ? html`<p>Only owners of the organization can do this.</p>`
    : html`${
        isUnused
          ? html`<p>Nobody has written here yet, so that you can still bring everything from Slack, Zulip, Mattermost, Discord,
Rocket.Chat or Campfire along, in place of this organization.</p>${form('import', 'Go on')}`
          : html`<p>An import takes the place of an organization in which nobody has written yet, which is no longer so here.</p>`
      }${
        awaited === 0
          ? ''
          : html`<h2>Let people in</h2>
<p>${awaited === 1 ? 'One person has' : `${awaited} people have`} come along and never logged in. Each link lets one of them choose a
password, once, for 30 days, or until you make them anew.</p>${form('links', 'Download links')}`
      }`
  return await page(
    english,
    title,
    html`<h1>${title}</h1>${alert(problem)}${main}<p><a href="/">Back to the messages</a></p>`,
    status,
  )
}

/** For a server that keeps nothing on disk. */
export async function unavailablePage(): Promise<Response> {
  return await page(
    english,
    title,
    html`<h1>${title}</h1><p>This server keeps everything in memory, so that nothing can be imported.</p>`,
    404,
  )
}
