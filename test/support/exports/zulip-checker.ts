import { isDeepStrictEqual } from 'node:util'
import { checkRows, membersOf } from './zulip-columns.ts'

/*
 * What Zulip's importer demands of an export, restated from its documentation and models, without a look
 * at what writes our exports: files, required and known members, references, uniqueness.
 */

type Row = Record<string, unknown>
type Files = ReadonlyMap<string, Uint8Array>

const int32 = 2 ** 31 - 1

/** The tables that must be there, empty or not. */
const required =
  `realm client userprofile userprofile_mirrordummy userprofile_crossrealm stream huddle recipient
  subscription defaultstream realmemoji realmdomain realmfilter realmplayground
  realmauthenticationmethod userpresence useractivity useractivityinterval customprofilefield
  customprofilefieldvalue reaction`
    .trim()
    .split(/\s+/)

/** What a member of a row refers to. */
const references: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  userprofile: {
    bot_owner: 'user',
    default_sending_stream: 'stream',
    default_events_register_stream: 'stream',
  },
  stream: { creator: 'user', folder: 'channelfolder' },
  namedusergroup: { usergroup_ptr: 'usergroup', creator: 'user' },
  usergroupmembership: { user_group: 'usergroup', user_profile: 'user' },
  groupgroupmembership: { supergroup: 'usergroup', subgroup: 'usergroup' },
  subscription: { user_profile: 'user', recipient: 'recipient' },
  defaultstream: { stream: 'stream' },
  customprofilefieldvalue: { user_profile: 'user', field: 'customprofilefield' },
  reaction: { user_profile: 'user', message: 'message' },
  submessage: { sender: 'user', message: 'message' },
  usertopic: { user_profile: 'user', stream: 'stream', recipient: 'recipient' },
  muteduser: { user_profile: 'user', muted_user: 'user' },
  alertword: { user_profile: 'user' },
  userpresence: { user_profile: 'user' },
  userstatus: { user_profile: 'user', client: 'client' },
  savedsnippet: { user_profile: 'user' },
  navigationview: { user: 'user' },
  scheduledmessage: {
    sender: 'user',
    recipient: 'recipient',
    sending_client: 'client',
    stream: 'stream',
  },
  service: { user_profile: 'user' },
  botconfigdata: { bot_profile: 'user' },
  botstoragedata: { bot_profile: 'user' },
  realmemoji: { author: 'user' },
}

/** Relations to the groups that have a permission. */
const isPermission = ({ isRelation, name }: { isRelation: boolean; name: string }) =>
  isRelation && (name.startsWith('can_') || name.endsWith('_group'))

/**
 * Checks the unpacked files of an export.
 *
 * @returns what Zulip would refuse, in sentences
 */
export function checkZulipExport(files: Files, release: number): string[] {
  const problems: string[] = []
  const refuse = (text: string) => void problems.push(text)
  const json = (path: string): Record<string, unknown> => {
    const bytes = files.get(path)
    if (!bytes) {
      refuse(`${path} is missing`)
      return {}
    }
    const text = Buffer.from(bytes).toString()
    if (text.includes('\\u0000')) refuse(`${path} has a NUL`)
    if (/\\ud[89a-f]/i.test(text)) refuse(`${path} has half a character`)
    return JSON.parse(text)
  }
  const version = json('migration_status.json')
  if (!String(version.zulip_version).startsWith(`${release}.`)) refuse('the version is another')
  if (!isDeepStrictEqual(version.migrations_by_app, {})) refuse('migrations are named')
  const realm = json('realm.json')
  if (realm.import_source !== 'zulip') refuse('the source is another')
  const table = (name: string) => (realm[`zerver_${name}`] ?? []) as Row[]
  for (const name of required)
    if (!Array.isArray(realm[`zerver_${name}`])) refuse(`${name} is missing`)

  const messages: Row[] = []
  const flags: Row[] = []
  const numbers = [...files.keys()].flatMap(
    (path) => /^messages-(\d{6})\.json$/.exec(path)?.[1] ?? [],
  )
  for (const [i, number] of numbers.sort().entries()) {
    if (Number(number) !== i + 1) refuse(`messages-${number}.json follows a gap`)
    const file = json(`messages-${number}.json`)
    const some = file.zerver_message as Row[]
    if (some.length > 1000) refuse(`messages-${number}.json is too long`)
    const here = new Set(some.map(({ id }) => id))
    for (const row of file.zerver_usermessage as Row[]) {
      if (!here.has(row.message)) refuse(`flags of message ${row.message} are in another file`)
      flags.push(row)
    }
    messages.push(...some)
  }
  for (let i = 1; i < messages.length; i++) {
    if (Number(messages[i]?.id) <= Number(messages[i - 1]?.id)) refuse('messages are not in order')
  }

  const attachments = (json('attachment.json').zerver_attachment ?? []) as Row[]
  const ids = (rows: readonly Row[], key = 'id') => new Set(rows.map((row) => row[key]))
  const known: Record<string, Set<unknown>> = {
    user: new Set([
      ...ids(table('userprofile')),
      ...ids(table('userprofile_mirrordummy')),
      ...ids(table('userprofile_crossrealm')),
    ]),
    stream: ids(table('stream')),
    channelfolder: ids(table('channelfolder')),
    usergroup: ids(table('usergroup')),
    recipient: new Set([
      ...ids(table('recipient')),
      ...ids(table('userprofile_crossrealm'), 'recipient_id'),
    ]),
    client: ids(table('client')),
    customprofilefield: ids(table('customprofilefield')),
    message: ids(messages),
  }
  const refer = (where: string, kind: string, id: unknown) => {
    if (id !== null && id !== undefined && !known[kind]?.has(id))
      refuse(`${where}: no ${kind} ${id}`)
  }
  for (const [name, members] of Object.entries(references)) {
    for (const row of table(name)) {
      for (const [member, kind] of Object.entries(members))
        refer(`${name} ${row.id}`, kind, row[member])
    }
  }
  for (const name of Object.keys(realm)) {
    if (!name.startsWith('zerver_')) continue
    const rows = realm[name] as Row[]
    const short = name.slice('zerver_'.length)
    const seen = ids(rows)
    if (seen.size !== rows.length) refuse(`${short} has an ID twice`)
    for (const row of rows) if (Number(row.id) > int32) refuse(`${short} ${row.id} is too large`)
    if (short === 'userprofile_crossrealm') {
      for (const row of rows) {
        if (Object.keys(row).sort().join() !== 'email,id,recipient_id')
          refuse(`bot ${row.id} has other members`)
      }
      continue
    }
    const as = short === 'userprofile_mirrordummy' ? 'zerver_userprofile' : name
    checkRows(as, rows, release, refuse)
    const groups = [...(membersOf(as, release)?.values() ?? [])].filter(isPermission)
    for (const row of rows) {
      for (const each of groups) refer(`${short} ${each.name}`, 'usergroup', row[each.name])
    }
  }
  for (const [name, rows] of Object.entries(json('analytics.json'))) {
    checkRows(name, rows as Row[], release, refuse)
  }
  checkRows('zerver_message', messages, release, refuse)
  checkRows('zerver_usermessage', flags, release, refuse)
  checkRows('zerver_attachment', attachments, release, refuse)

  if (table('realm').length !== 1) refuse('there is not one organization')
  if (!table('realmauthenticationmethod').some(({ name }) => name === 'Email'))
    refuse('nobody can log in')
  const people = table('userprofile')
  if (!people.some(({ is_active, is_bot, role }) => role === 100 && is_active && !is_bot))
    refuse('there is no owner')
  const addresses = people.map(({ delivery_email }) => String(delivery_email).toLowerCase())
  if (new Set(addresses).size !== addresses.length) refuse('an address is there twice')
  for (const address of addresses) {
    if (!/^[^\s@]+@[a-z0-9.-]+\.[a-z][a-z0-9-]+$/.test(address)) refuse(`${address} is no address`)
  }

  const subscribed = new Map<unknown, Set<unknown>>()
  for (const { recipient, user_profile } of table('subscription')) {
    const members = subscribed.get(recipient) ?? new Set()
    if (members.has(user_profile)) refuse(`user ${user_profile} has recipient ${recipient} twice`)
    subscribed.set(recipient, members.add(user_profile))
  }
  const bots = ids(table('userprofile_crossrealm'))
  const groups = new Set<string>()
  for (const { id, type, type_id } of table('recipient')) {
    if (type === 1 && release >= 12) refuse('release 12 has no recipients of people')
    if (type === 1) refer(`recipient ${id}`, 'user', type_id)
    if (type === 1 && bots.has(type_id))
      refuse(`recipient ${id} is that of a bot which Zulip has already`)
    if (type === 2) refer(`recipient ${id}`, 'stream', type_id)
    if (type !== 3) continue
    if (!ids(table('huddle')).has(type_id)) refuse(`recipient ${id} has no huddle`)
    const members = [...(subscribed.get(id) ?? [])].sort().join()
    if (groups.has(members)) refuse(`two groups have the members ${members}`)
    groups.add(members)
  }
  const withRecipient = new Set(
    table('recipient').flatMap(({ type, type_id }) => (type === 1 ? [type_id] : [])),
  )
  if (release < 12) {
    for (const { id } of people) if (!withRecipient.has(id)) refuse(`user ${id} has no recipient`)
  }

  const emoji = new Map(table('realmemoji').map(({ id, name }) => [String(id), name]))
  for (const { emoji_code, emoji_name, reaction_type } of table('reaction')) {
    if (reaction_type !== 'realm_emoji') continue
    if (emoji.get(String(emoji_code)) !== emoji_name)
      refuse(`emoji ${emoji_code} is not known by this name`)
  }
  for (const { delivered } of table('scheduledmessage'))
    if (delivered) refuse('a scheduled message was delivered')
  const votes = table('reaction').map((row) =>
    [row.user_profile, row.message, row.emoji_code, row.reaction_type].join(),
  )
  if (new Set(votes).size !== votes.length) refuse('a reaction is there twice')

  for (const row of messages) {
    const where = `message ${row.id}`
    refer(where, 'user', row.sender)
    refer(where, 'recipient', row.recipient)
    refer(where, 'client', row.sending_client)
    if (row.rendered_content === null && bots.has(row.sender))
      refuse(`${where} has no HTML, and Zulip cannot render those of its bots`)
    if (row.edit_history === null) continue
    for (const edit of JSON.parse(String(row.edit_history)) as Row[]) {
      refer(`${where} history`, 'user', edit.user_id ?? 'nothing')
      if ('prev_content' in edit && typeof edit.prev_rendered_content !== 'string')
        refuse(`${where} has half an edit`)
    }
  }
  const pairs = new Set<string>()
  for (const row of flags) {
    refer('flags', 'user', row.user_profile)
    const pair = `${row.user_profile} ${row.message}`
    if (pairs.has(pair)) refuse(`flags are there twice: ${pair}`)
    pairs.add(pair)
  }

  for (const row of attachments) {
    refer(`attachment ${row.id}`, 'user', row.owner)
    for (const id of row.messages as unknown[]) refer(`attachment ${row.id}`, 'message', id)
    const path = String(row.path_id)
    if (path.split('/').some((part) => part === '..' || part === '')) refuse(`${path} is outside`)
    if (path.slice(path.lastIndexOf('/') + 1) !== row.file_name) refuse(`${path} has another name`)
  }
  for (const part of ['uploads', 'avatars', 'emoji', 'realm_icons']) {
    for (const record of json(`${part}/records.json`) as unknown as Row[]) {
      if (!files.has(`${part}/${record.path}`)) refuse(`${part}/${record.path} is missing`)
      if (!record.s3_path) refuse(`${part}/${record.path} has no s3_path`)
      if (part === 'avatars' || part === 'uploads') refer(`${part}`, 'user', record.user_profile_id)
    }
  }
  return problems
}
