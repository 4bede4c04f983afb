import { userSettingRules } from '#features/foundation/users/settings.ts'
import type { Reading } from '#features/organization/imports/source.ts'
import type { PersonItem } from '#features/organization/imports/stream.ts'
import type { Directory } from './directory.ts'
import { placeholderDomain, settingsIn } from './organization.ts'
import { avatarPaths, pictureBody } from './pictures.ts'
import type { UserRow } from './rows.ts'

/** Roles by their numbers. */
const roles = { 100: 'owner', 200: 'admin', 300: 'moderator', 400: 'member', 600: 'guest' } as const
/** Kinds of bots by their numbers. */
const botKinds = {
  1: 'generic',
  2: 'incomingWebhook',
  3: 'outgoingWebhook',
  4: 'embedded',
} as const

/** The people and bots of an organization, and the server's own bots that wrote in it. */
export async function* people(reading: Reading, directory: Directory): AsyncGenerator<PersonItem> {
  const { dummies, systemUsers, users } = directory
  const avatars = await avatarPaths(reading)
  const activate = reading.options.activate === true
  const standInDomain = placeholderDomain(directory)?.toLowerCase()
  const source = { reading, directory, standInDomain }
  for (const [id, email] of systemUsers) {
    const name = email.slice(0, email.indexOf('@'))
    yield {
      type: 'person',
      key: String(id),
      id,
      name,
      email,
      role: 'member',
      isActive: true,
      systemBot: name,
    }
  }
  for (const row of users.values()) {
    const isActive = row.is_active && !row.is_mirror_dummy
    yield person(source, row, isActive, avatars.get(row.id))
  }
  for (const row of dummies.values()) {
    yield person(source, row, activate && row.delivery_email !== '', undefined)
  }
}

interface Source {
  readonly reading: Reading
  readonly directory: Directory
  /** The domain of addresses that stand for others. */
  readonly standInDomain: string | undefined
}

function person(
  { directory, reading, standInDomain }: Source,
  row: UserRow,
  isActive: boolean,
  avatar: string | undefined,
): PersonItem {
  const { notes } = reading
  const { id, bot_type, date_joined } = row
  const given = row.delivery_email || row.email
  // What stands for the address of someone who has none or hides it is none.
  const isStandIn = given.toLowerCase() === `user${id}@${standInDomain}`
  const role = roles[row.role as keyof typeof roles]
  if (!role) notes.changed('people', 'bad-value', `role of ${id}`)
  const kind = row.is_bot ? (botKinds[bot_type as keyof typeof botKinds] ?? 'generic') : undefined
  return {
    type: 'person',
    key: String(id),
    id,
    name: row.full_name,
    email: isStandIn ? undefined : given || undefined,
    apiEmail: row.email || undefined,
    role: role ?? 'member',
    isActive,
    ...(kind && { bot: bot(directory, row, kind) }),
    timezone: row.timezone,
    joined: date_joined ?? undefined,
    avatar:
      row.avatar_source === 'U' && avatar !== undefined ? pictureBody(reading, avatar) : undefined,
    settings: ownSettings(row, directory),
  }
}

/** Only values that differ from the defaults of new people. */
function ownSettings(row: UserRow, { userDefaults }: Directory): Record<string, unknown> {
  const defaults = settingsIn(userDefaults, userSettingRules)
  const own = Object.entries(settingsIn(row, userSettingRules)).filter(
    ([name, value]) =>
      value !==
      (defaults[name] ?? userSettingRules[name as keyof typeof userSettingRules].fallback),
  )
  return Object.fromEntries(own)
}

function bot(
  { botOptions, botStorage, services }: Directory,
  row: UserRow,
  kind: (typeof botKinds)[keyof typeof botKinds],
): PersonItem['bot'] {
  const service = services.get(row.id)
  return {
    kind,
    owner: key(row.bot_owner),
    sendsTo: key(row.default_sending_stream),
    hearsFrom: key(row.default_events_register_stream),
    service: service && {
      url: service.base_url,
      format: service.interface === slackInterface ? 'slack' : 'zulip',
    },
    options: botOptions.get(row.id),
    storage: botStorage.get(row.id),
  }
}

/** The number of the format of outgoing webhooks that is Slack's. */
const slackInterface = 2

const key = (id: number | null | undefined) => (id ? String(id) : undefined)
