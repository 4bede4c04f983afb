import { downloaded, unavailable } from '#features/organization/imports/reading/downloads.ts'
import { SamePeople } from '#features/organization/imports/reading/same-people.ts'
import type { Reading } from '#features/organization/imports/source.ts'
import type {
  Body,
  Item,
  PersonItem,
  ProfileValueItem,
} from '#features/organization/imports/stream.ts'
import type { WorkspaceData } from './api.ts'
import type { ArchivedFiles } from './archived.ts'
import { rowsOf, type UserRow, user } from './rows.ts'

/** The people and bots of an export, by their IDs. */
export interface People {
  /** The key of a person, who may occur twice. */
  keyOf(id: string): string
  /** The user of a bot, which has two IDs. */
  userOfBot(botId: string): string | undefined
  has(key: string): boolean
  /** The display name of a person. */
  nameOf(id: string): string | undefined
  /** Whether the workspace has its own emoji of this name, perhaps in place of one that all have. */
  hasEmoji(name: string): boolean
  /** Someone whom only messages show: from another organization, or an integration. */
  add(key: string, name: string, isBot: boolean): PersonItem
}

/** Slack's own bot, which is not always among the users. */
export const slackbot = 'USLACKBOT'

/** The hosts of pictures, which need no token. */
const hosts = /(^|\.)(slack-edge\.com|slack\.com|slack-files\.com)$/

/**
 * The picture that someone has chosen: from the archive, or from Slack.
 *
 * @param origin where Slack's Web API is
 */
function pictureOf(reading: Reading, path: string | undefined, url: string, origin: string) {
  if (path !== undefined) return { avatar: () => reading.archive.read(path) }
  if (url === '') return {}
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const isSlacks = parsed?.protocol === 'https:' && hosts.test(parsed.hostname)
  const avatar: Body =
    isSlacks || parsed?.origin === origin
      ? downloaded(reading, { url, key: `slack picture ${url}` })
      : () => unavailable('missing-file')
  return { avatar }
}

/** Reads the people; of several with one address, one is kept, and an active one if there is one. */
export async function readPeople(
  reading: Reading,
  { addresses, emoji }: WorkspaceData,
  archived: ArchivedFiles,
  origin: string,
): Promise<{ readonly people: People; readonly items: readonly Item[] }> {
  const rows: UserRow[] = []
  for await (const row of rowsOf(reading, 'users.json', 'people', user)) rows.push(row)
  const emailOf = ({ id, profile }: UserRow) => addresses.get(id) ?? profile?.email
  const same = new SamePeople()
  const names = new Map<string, string>()
  const bots = new Map<string, string>()
  const kept: UserRow[] = []
  for (const row of rows.toSorted((a, b) => Number(a.deleted) - Number(b.deleted))) {
    if (names.has(row.id)) {
      reading.notes.skipped('people', 'duplicate', row.id)
      continue
    }
    names.set(row.id, nameOf(row))
    if (row.profile?.bot_id) bots.set(row.profile.bot_id, row.id)
    if (same.add(row.id, emailOf(row))) kept.push(row)
    else reading.notes.skipped('people', 'duplicate', row.id)
  }
  const picture = (id: string, url = '') => pictureOf(reading, archived.picture(id), url, origin)
  const people: People = {
    keyOf: (id) => same.keyOf(id),
    userOfBot: (botId) => bots.get(botId),
    has: (key) => names.has(key),
    nameOf: (id) => names.get(id),
    hasEmoji: (name) => emoji.has(name),
    add(key, name, isBot) {
      names.set(key, name)
      const bot = isBot ? ({ kind: 'incomingWebhook' } as const) : undefined
      return {
        type: 'person',
        key,
        name,
        role: 'member',
        isActive: false,
        ...(bot && { bot }),
        ...picture(key),
      }
    },
  }
  const persons = kept.map((row) => ({
    ...person(row, emailOf(row)),
    ...picture(row.id, row.profile?.image_original),
  }))
  const items = [...persons, ...profiles(kept)]
  return { people, items }
}

function nameOf({ id, name, profile, real_name }: UserRow): string {
  return profile?.display_name || profile?.real_name || real_name || name || id
}

function person(row: UserRow, email: string | undefined): PersonItem {
  const isBot = row.is_bot || row.id === slackbot
  return {
    type: 'person',
    key: row.id,
    name: row.profile?.real_name || row.real_name || nameOf(row),
    email: email || undefined,
    role: isBot ? 'member' : roleOf(row),
    isActive: !row.deleted && !isBot,
    timezone: row.tz,
    ...(isBot && { bot: { kind: 'incomingWebhook' } }),
  }
}

function roleOf(row: UserRow): PersonItem['role'] {
  if (row.is_primary_owner || row.is_owner) return 'owner'
  if (row.is_admin) return 'admin'
  return row.is_restricted || row.is_ultra_restricted ? 'guest' : 'member'
}

/** Shortens values of profile fields to the limit of their kind. */
const shortText = 1
const longestValue = 50

/** Titles, phone numbers and the organization's own fields, whose names the export often lacks. */
function profiles(rows: readonly UserRow[]): Item[] {
  const fields = new Map<string, string>()
  const values: ProfileValueItem[] = []
  const put = (person: string, field: string, name: string, value: string) => {
    if (value.trim() === '') return
    fields.set(field, fields.get(field) || name)
    values.push({ type: 'profileValue', person, field, value: value.trim().slice(0, longestValue) })
  }
  for (const { id, profile } of rows) {
    put(id, 'title', 'Title', profile?.title ?? '')
    put(id, 'phone', 'Phone', profile?.phone ?? '')
    for (const [field, { label, value }] of Object.entries(profile?.fields ?? {})) {
      put(id, field, label || `Slack ${field}`, value)
    }
  }
  const items = [...fields].map(
    ([key, name]): Item => ({ type: 'profileField', key, name, kind: shortText }),
  )
  return [...items, ...values]
}
