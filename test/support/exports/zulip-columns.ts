import { readFileSync } from 'node:fs'

/*
 * The columns of Zulip's tables, from a database of release 12.2, and what its importer makes of the
 * members of rows before it stores them.
 */

type Row = Readonly<Record<string, unknown>>

/** What a row has for a column. */
interface Member {
  readonly name: string
  readonly type: string
  /** Of a text, in characters. */
  readonly most: number | undefined
  readonly mayBeNull: boolean
  /** Whether it names a row of a table. */
  readonly isRelation: boolean
  readonly isNeeded: boolean
}

/** Columns that are numbers, although their names end as those of relations do. */
const plainNumbers = [
  'type_id',
  'first_message_id',
  'last_active_message_id',
  'reminder_target_message_id',
  'last_update_id',
  'first_visible_message_id',
  'event_last_message_id',
]

/** Columns whose members have other names. */
const renamed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  zerver_namedusergroup: { realm_id: 'realm_for_sharding' },
}

/** Columns that the importer fills by itself. */
const filled: Readonly<Record<string, readonly string[]>> = {
  zerver_huddle: ['huddle_hash', 'recipient'],
  zerver_message: ['search_tsvector'],
  zerver_realm: ['uuid', 'uuid_owner_secret'],
  zerver_stream: ['recipient'],
  zerver_usermessage: ['id', 'flags'],
  zerver_userprofile: ['password', 'api_key', 'uuid', 'avatar_hash'],
}

/** Members that are no columns: the importer takes them out of the row. */
const takenOut: Readonly<Record<string, readonly string[]>> = {
  zerver_attachment: ['messages', 'scheduled_messages'],
  zerver_namedusergroup: ['id'],
  zerver_usermessage: ['flags_mask'],
  zerver_userprofile: ['groups', 'user_permissions'],
}

/** Numbers without a default. Other numbers have one; texts are empty by default. */
const neededNumbers: Readonly<Record<string, readonly string[]>> = {
  zerver_attachment: ['size'],
  zerver_huddle: ['group_size'],
  zerver_presencesequence: ['last_update_id'],
  zerver_recipient: ['type', 'type_id'],
  zerver_scheduledmessage: ['reminder_target_message_id'],
  zerver_userprofile: ['last_active_message_id'],
}

/** Members that release 11 does not know. */
const sinceTwelve: Readonly<Record<string, readonly string[]>> = {
  zerver_customprofilefield: ['use_for_user_matching'],
  zerver_realm: [
    'default_avatar_source',
    'gif_rating_policy',
    'media_preview_size',
    'owner_full_content_access',
    'rendered_description',
    'rendered_description_version',
    'send_channel_events_messages',
    'workplace_users_group',
  ],
  zerver_realmfilter: ['example_input', 'reverse_template', 'alternative_url_templates'],
  zerver_realmuserdefault: ['web_inbox_show_channel_folders'],
  zerver_stream: ['can_create_topic_group'],
  zerver_userprofile: [
    'is_deleted',
    'is_imported_stub',
    'third_party_api_state',
    'web_inbox_show_channel_folders',
  ],
}
const tablesSinceTwelve = ['zerver_externalauthid', 'zerver_realmexport', 'zerver_submessage']

/** Dates that only the importer of release 12 looks for. */
const datesSinceTwelve = [
  'demo_organization_scheduled_deletion_date',
  'push_notifications_enabled_end_timestamp',
  'scheduled_deletion_date',
]

/** Columns that release 12 has no more. */
const untilEleven: Readonly<Record<string, readonly string[]>> = {
  zerver_realm: ['giphy_rating int2'],
}

/** Numbers have so many bits, beside the sign. */
const bits: Readonly<Record<string, number>> = { int2: 15, int4: 31, int8: 53 }

const tables = new Map<string, string[]>()
for (const line of readFileSync(new URL('zulip-columns.txt', import.meta.url), 'utf8').split(
  '\n',
)) {
  if (line === '' || line.startsWith('#')) continue
  if (!line.startsWith(' ')) tables.set(line, [])
  else [...tables.values()].at(-1)?.push(...line.split(',').map((each) => each.trim()))
}

/** The members of the rows of a table in a release, by name; undefined: it has no such table. */
export function membersOf(table: string, release: number): ReadonlyMap<string, Member> | undefined {
  const columns = tables.get(table)
  if (!columns || (release < 12 && tablesSinceTwelve.includes(table))) return undefined
  const all = [...columns, ...(release < 12 ? (untilEleven[table] ?? []) : [])]
  const members = all.flatMap((column) => {
    const found = /^(\w+) (\w+)(?:\((\d+)\))?(\?)?$/.exec(column)
    if (!found) return column === '' ? [] : raise(column)
    const [, own = '', type = '', most, nullable] = found
    const isRelation = type in bits && own.endsWith('_id') && !plainNumbers.includes(own)
    const name = renamed[table]?.[own] ?? (isRelation ? own.slice(0, -'_id'.length) : own)
    if (release < 12 && sinceTwelve[table]?.includes(name)) return []
    const isNeeded =
      name === 'id' ||
      isRelation ||
      (type === 'time' && (release >= 12 || !datesSinceTwelve.includes(name))) ||
      (neededNumbers[table]?.includes(name) ?? false)
    return {
      name,
      type,
      most: most === undefined ? undefined : Number(most),
      mayBeNull: nullable !== undefined,
      isRelation,
      isNeeded: isNeeded && !filled[table]?.includes(name),
    }
  })
  return new Map(members.map((member) => [member.name, member]))
}

function raise(column: string): never {
  throw new Error(`What is "${column}"?`)
}

/** Checks that rows fit the columns of their table. @param refuse gets what does not, in sentences */
export function checkRows(
  table: string,
  rows: Iterable<Row>,
  release: number,
  refuse: (problem: string) => void,
): void {
  const members = membersOf(table, release)
  if (!members) {
    refuse(`${table} is not known`)
    return
  }
  const needed = [...members.values()].filter(({ isNeeded }) => isNeeded)
  for (const row of rows) {
    const where = `${table} ${row.id ?? row.message}`
    for (const { name } of needed) if (!(name in row)) refuse(`${where} lacks ${name}`)
    for (const [name, value] of Object.entries(row)) {
      const member = members.get(name)
      if (takenOut[table]?.includes(name)) continue
      if (!member || (filled[table]?.includes(name) && value !== null)) {
        refuse(`${where} has ${name}, which is no column`)
      } else if (value === null) {
        if (!member.mayBeNull) refuse(`${where} has no ${name}`)
      } else if (!fits(member, value)) {
        refuse(`${where} has ${name} ${JSON.stringify(value)?.slice(0, 60)}, not ${member.type}`)
      }
    }
  }
}

function fits({ most, type }: Member, value: unknown): boolean {
  if (type === 'bool') return typeof value === 'boolean'
  if (type === 'json') return typeof value === 'object'
  if (type === 'time') return typeof value === 'number' && value >= 0 && value < 253_402_300_800
  if (type in bits)
    return Number.isInteger(value) && Math.abs(Number(value)) < 2 ** (bits[type] ?? 0)
  if (typeof value !== 'string') return false
  return [...value].length <= (most ?? Number.POSITIVE_INFINITY) && !value.includes('\0')
}
