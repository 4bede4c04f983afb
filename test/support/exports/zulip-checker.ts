import { isDeepStrictEqual } from 'node:util'

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

const realmGroups = (release: number) =>
  `can_access_all_users_group can_add_custom_emoji_group can_add_subscribers_group
  can_create_bots_group can_create_groups can_create_private_channel_group
  can_create_public_channel_group can_create_web_public_channel_group
  can_create_write_only_bots_group can_delete_any_message_group can_delete_own_message_group
  can_invite_users_group can_manage_all_groups can_manage_billing_group
  can_mention_many_users_group can_move_messages_between_channels_group
  can_move_messages_between_topics_group can_resolve_topics_group
  can_set_delete_message_policy_group can_set_topics_policy_group can_summarize_topics_group
  create_multiuse_invite_group direct_message_initiator_group direct_message_permission_group`
    .trim()
    .split(/\s+/)
    .filter((name) => release > 0 && name !== '')

const channelGroups = (release: number) =>
  `can_add_subscribers_group can_administer_channel_group can_delete_any_message_group
  can_delete_own_message_group can_move_messages_out_of_channel_group
  can_move_messages_within_channel_group can_remove_subscribers_group can_resolve_topics_group
  can_send_message_group can_subscribe_group${release >= 12 ? ' can_create_topic_group' : ''}`
    .trim()
    .split(/\s+/)

const groupGroups =
  `can_add_members_group can_join_group can_leave_group can_manage_group can_mention_group
  can_remove_members_group`
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

/** Members without which a row fails. */
const needed: Readonly<Record<string, readonly string[]>> = {
  realm: [
    'date_created',
    'deactivated',
    'moderation_request_channel',
    'new_stream_announcements_stream',
    'signup_announcements_stream',
    'zulip_update_announcements_stream',
  ],
  userprofile: [
    'realm',
    'email',
    'delivery_email',
    'full_name',
    'bot_owner',
    'default_sending_stream',
    'default_events_register_stream',
    'last_active_message_id',
    'date_joined',
    'last_login',
    'last_reminder',
    'user_permissions',
    'groups',
  ],
  userprofile_crossrealm: ['email', 'id', 'recipient_id'],
  recipient: ['type', 'type_id'],
  subscription: ['user_profile', 'recipient'],
  stream: ['realm', 'creator', 'folder', 'date_created'],
  usergroup: ['realm'],
  namedusergroup: ['usergroup_ptr', 'realm_for_sharding', 'creator', 'date_created'],
  usertopic: [
    'user_profile',
    'stream',
    'recipient',
    'topic_name',
    'last_updated',
    'visibility_policy',
  ],
  savedsnippet: ['user_profile', 'realm', 'title', 'content', 'date_created'],
  userpresence: ['user_profile', 'realm', 'last_active_time', 'last_connected_time'],
  userstatus: ['user_profile', 'client', 'timestamp'],
  scheduledmessage: [
    'sender',
    'recipient',
    'stream',
    'sending_client',
    'scheduled_timestamp',
    'request_timestamp',
    'delivered_message',
    'reminder_target_message_id',
  ],
}

/** Tables whose rows know their organization by their user only. */
const withoutRealm = ['usertopic', 'muteduser', 'userstatus', 'navigationview']

/** Members that release 11 does not know. */
const onlyTwelve: Readonly<Record<string, readonly string[]>> = {
  realm: [
    'send_channel_events_messages',
    'gif_rating_policy',
    'owner_full_content_access',
    'workplace_users_group',
  ],
  userprofile: ['is_imported_stub', 'web_inbox_show_channel_folders'],
  stream: ['can_create_topic_group'],
  realmfilter: ['example_input', 'reverse_template', 'alternative_url_templates'],
  customprofilefield: ['use_for_user_matching'],
}
/** Members that no release knows. */
const secrets = [
  'password',
  'password_hash',
  'api_key',
  'uuid',
  'uuid_owner_secret',
  'search_tsvector',
]

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
  for (const [name, members] of Object.entries(needed)) {
    for (const row of table(name)) {
      for (const member of members)
        if (!(member in row)) refuse(`${name} ${row.id} lacks ${member}`)
    }
  }
  for (const name of Object.keys(realm)) {
    if (!name.startsWith('zerver_')) continue
    const rows = realm[name] as Row[]
    const short = name.slice('zerver_'.length)
    if (release < 12 && ['submessage', 'externalauthid', 'realmexport'].includes(short))
      refuse(`${short} is not known`)
    const seen = ids(rows)
    if (seen.size !== rows.length) refuse(`${short} has an ID twice`)
    for (const row of rows) {
      if (Number(row.id) > int32) refuse(`${short} ${row.id} is too large`)
      if (withoutRealm.includes(short) && 'realm' in row) refuse(`${short} has realm`)
      for (const member of [...secrets, ...(release < 12 ? (onlyTwelve[short] ?? []) : [])]) {
        if (member in row) refuse(`${short} has ${member}`)
      }
    }
  }

  const [one, ...others] = table('realm')
  if (!one || others.length > 0) refuse('there is not one organization')
  for (const name of realmGroups(release))
    refer(`realm ${name}`, 'usergroup', one?.[name] ?? 'nothing')
  for (const row of table('stream')) {
    for (const name of channelGroups(release))
      refer(`stream ${name}`, 'usergroup', row[name] ?? 'nothing')
    if (String(row.name).length > 60) refuse(`stream ${row.id} has a long name`)
    if (String(row.description).length > 1024) refuse(`stream ${row.id} has a long description`)
  }
  for (const row of table('namedusergroup')) {
    for (const name of groupGroups)
      refer(`group ${row.name} ${name}`, 'usergroup', row[name] ?? 'nothing')
  }
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
  for (const { full_name, id } of people)
    if (String(full_name).length > 100) refuse(`user ${id} has a long name`)
  for (const { name } of table('client'))
    if (String(name).length > 30) refuse(`client ${name} is long`)

  const subscribed = new Map<unknown, Set<unknown>>()
  for (const { recipient, user_profile } of table('subscription')) {
    const members = subscribed.get(recipient) ?? new Set()
    if (members.has(user_profile)) refuse(`user ${user_profile} has recipient ${recipient} twice`)
    subscribed.set(recipient, members.add(user_profile))
  }
  const groups = new Set<string>()
  for (const { id, type, type_id } of table('recipient')) {
    if (type === 1 && release >= 12) refuse('release 12 has no recipients of people')
    if (type === 1) refer(`recipient ${id}`, 'user', type_id)
    if (type === 1 && ids(table('userprofile_crossrealm')).has(type_id))
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
    for (const member of [
      'sender',
      'recipient',
      'realm',
      'sending_client',
      'date_sent',
      'last_edit_time',
    ]) {
      if (!(member in row)) refuse(`${where} lacks ${member}`)
    }
    refer(where, 'user', row.sender)
    refer(where, 'recipient', row.recipient)
    refer(where, 'client', row.sending_client)
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
