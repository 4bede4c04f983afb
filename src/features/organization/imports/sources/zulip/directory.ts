import type * as v from 'valibot'
import { systemGroups } from '#features/foundation/permissions/table.ts'
import { recipientTypes } from '#features/organization/exports/zulip/format.ts'
import type { Reading } from '#features/organization/imports/source.ts'
import { knownTables, lostTables } from './known.ts'
import {
  botValue,
  type ChannelRow,
  channel,
  client,
  defaultChannel,
  emoji,
  folder,
  type GroupRow,
  group,
  groupMember,
  linkifier,
  type NamedGroupRow,
  namedGroup,
  profileField,
  type RealmRow,
  type RecipientRow,
  realm,
  recipient,
  service,
  settings,
  sortByDate,
  subgroup,
  subscription,
  systemUser,
  type UserRow,
  user,
} from './rows.ts'
import { realmFile, tableRows } from './tables.ts'

/** The small parts of an export, which are needed to understand the rest. */
export interface Directory {
  realm: RealmRow | undefined
  /** Whether the messages get new IDs by their dates. */
  sortsByDate: boolean
  userDefaults: Readonly<Record<string, unknown>>
  readonly users: Map<number, UserRow>
  /** Placeholders for people who did not consent to the export. */
  readonly dummies: Map<number, UserRow>
  /** Addresses of the server's own bots, by their IDs. */
  readonly systemUsers: Map<number, string>
  readonly groups: Set<number>
  readonly namedGroups: Map<number, NamedGroupRow>
  readonly groupMembers: Map<number, number[]>
  readonly subgroups: Map<number, number[]>
  readonly folders: v.InferOutput<typeof folder>[]
  readonly channels: Map<number, ChannelRow>
  readonly defaultChannels: Set<number>
  readonly recipients: Map<number, RecipientRow>
  /** Names of programs that sent messages. */
  readonly clients: Map<number, string>
  readonly emoji: v.InferOutput<typeof emoji>[]
  readonly fields: v.InferOutput<typeof profileField>[]
  readonly linkifiers: v.InferOutput<typeof linkifier>[]
  readonly services: Map<number, v.InferOutput<typeof service>>
  readonly botOptions: Map<number, Record<string, string>>
  readonly botStorage: Map<number, Record<string, string>>
}

/** Reads the tables of an organization that everything else refers to. */
export async function readDirectory(reading: Reading): Promise<Directory> {
  const found: Directory = {
    realm: undefined,
    sortsByDate: false,
    userDefaults: {},
    users: new Map(),
    dummies: new Map(),
    systemUsers: new Map(),
    groups: new Set(),
    namedGroups: new Map(),
    groupMembers: new Map(),
    subgroups: new Map(),
    folders: [],
    channels: new Map(),
    defaultChannels: new Set(),
    recipients: new Map(),
    clients: new Map(),
    emoji: [],
    fields: [],
    linkifiers: [],
    services: new Map(),
    botOptions: new Map(),
    botStorage: new Map(),
  }
  const rows = tableRows(
    reading,
    realmFile,
    {
      zerver_realm: ['settings', realm],
      sort_by_date: ['settings', sortByDate],
      zerver_realmuserdefault: ['settings', settings],
      zerver_userprofile: ['people', user],
      zerver_userprofile_mirrordummy: ['people', user],
      zerver_userprofile_crossrealm: ['people', systemUser],
      zerver_usergroup: ['groups', group],
      zerver_namedusergroup: ['groups', namedGroup],
      zerver_usergroupmembership: ['groups', groupMember],
      zerver_groupgroupmembership: ['groups', subgroup],
      zerver_channelfolder: ['channel folders', folder],
      zerver_stream: ['channels', channel],
      zerver_defaultstream: ['settings', defaultChannel],
      zerver_recipient: ['other', recipient],
      zerver_client: ['other', client],
      zerver_realmemoji: ['custom emoji', emoji],
      zerver_customprofilefield: ['profile fields', profileField],
      zerver_realmfilter: ['linkifiers', linkifier],
      zerver_service: ['other', service],
      zerver_botconfigdata: ['other', botValue],
      zerver_botstoragedata: ['other', botValue],
    },
    (name) => {
      if (name === '' || knownTables.has(name)) return
      reading.notes.skipped('other', lostTables.has(name) ? 'no-place' : 'unknown-table', name)
    },
  )
  for await (const { row, table } of rows) keepers[table](found, row as never)
  return found
}

type Keepers = Readonly<Record<string, (found: Directory, row: never) => void>>

const add = (lists: Map<number, number[]>, key: number, value: number) =>
  void lists.set(key, [...(lists.get(key) ?? []), value])

/** A system group is known by its name too, which Zulip allows to no other; older ones had an `@` before it. */
function withSystem(row: NamedGroupRow): NamedGroupRow {
  const system = systemGroups.find((name) => name === row.name.replace(/^@/, ''))
  return system === undefined ? row : { ...row, name: system, is_system_group: true }
}

type BotValue = v.InferOutput<typeof botValue>
const addValue = (to: Map<number, Record<string, string>>, { bot_profile, key, value }: BotValue) =>
  void to.set(bot_profile, { ...to.get(bot_profile), [key]: value })

/** The destinations of the rows of each table. */
const keepers = {
  zerver_realm(found, row: RealmRow) {
    found.realm = row
  },
  sort_by_date(found, row: boolean) {
    found.sortsByDate = row
  },
  zerver_realmuserdefault(found, row: Record<string, unknown>) {
    found.userDefaults = row
  },
  zerver_userprofile: ({ users }, row: UserRow) => void users.set(row.id, row),
  zerver_userprofile_mirrordummy: ({ dummies }, row: UserRow) => void dummies.set(row.id, row),
  zerver_userprofile_crossrealm(
    { recipients, systemUsers },
    { email, id, recipient_id }: v.InferOutput<typeof systemUser>,
  ) {
    systemUsers.set(id, email)
    // The table of recipients lacks those of the server's own bots.
    if (recipient_id) {
      const type = recipientTypes.person
      recipients.set(recipient_id, { id: recipient_id, type, type_id: id })
    }
  },
  zerver_usergroup({ groups, namedGroups }, { name, ...row }: GroupRow) {
    groups.add(row.id)
    if (name && !namedGroups.has(row.id)) {
      const named = { ...row, usergroup_ptr: row.id, name, deactivated: false }
      namedGroups.set(row.id, withSystem(named))
    }
  },
  zerver_namedusergroup: ({ namedGroups }, row: NamedGroupRow) =>
    void namedGroups.set(row.usergroup_ptr, withSystem(row)),
  zerver_usergroupmembership: ({ groupMembers }, row: v.InferOutput<typeof groupMember>) =>
    add(groupMembers, row.user_group, row.user_profile),
  zerver_groupgroupmembership: ({ subgroups }, row: v.InferOutput<typeof subgroup>) =>
    add(subgroups, row.supergroup, row.subgroup),
  zerver_channelfolder: ({ folders }, row: v.InferOutput<typeof folder>) => void folders.push(row),
  zerver_stream: ({ channels }, row: ChannelRow) => void channels.set(row.id, row),
  zerver_defaultstream: ({ defaultChannels }, row: v.InferOutput<typeof defaultChannel>) =>
    void defaultChannels.add(row.stream),
  zerver_recipient: ({ recipients }, row: RecipientRow) => void recipients.set(row.id, row),
  zerver_client: ({ clients }, row: v.InferOutput<typeof client>) =>
    void clients.set(row.id, row.name),
  zerver_realmemoji: ({ emoji }, row: Directory['emoji'][number]) => void emoji.push(row),
  zerver_customprofilefield: ({ fields }, row: Directory['fields'][number]) =>
    void fields.push(row),
  zerver_realmfilter: ({ linkifiers }, row: Directory['linkifiers'][number]) =>
    void linkifiers.push(row),
  zerver_service: ({ services }, row: v.InferOutput<typeof service>) =>
    void services.set(row.user_profile, row),
  zerver_botconfigdata: ({ botOptions }, row: BotValue) => addValue(botOptions, row),
  zerver_botstoragedata: ({ botStorage }, row: BotValue) => addValue(botStorage, row),
} satisfies Keepers

/** The key of the direct conversation of these people. */
export const conversationKey = (ids: readonly number[]) =>
  [...new Set(ids)].sort((a, b) => a - b).join(',')

/** The members of group conversations, by the IDs of their recipients. */
export async function readGroupConversations(
  reading: Reading,
  { recipients }: Directory,
): Promise<Map<number, number[]>> {
  const members = new Map<number, number[]>()
  const rows = tableRows(reading, realmFile, { zerver_subscription: ['other', subscription] })
  for await (const { row } of rows) {
    if (recipients.get(row.recipient)?.type !== recipientTypes.group) continue
    const known = members.get(row.recipient)
    if (known) known.push(row.user_profile)
    else members.set(row.recipient, [row.user_profile])
  }
  return members
}
