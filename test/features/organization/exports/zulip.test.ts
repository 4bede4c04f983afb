import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { permissionRules } from '#features/foundation/permissions/table.ts'
import { realmSettingRules } from '#features/foundation/realm/settings.ts'
import { userSettingRules } from '#features/foundation/users/settings.ts'
import { type Db, openDatabase } from '#platform/store/open.ts'
import { exportForZulip } from '#test/support/exports/exporting.ts'
import { type Imported, importFiles } from '#test/support/exports/importing.ts'
import { isRead } from '#test/support/exports/read.ts'
import { zulipExport } from '#test/support/exports/zulip.ts'
import { checkZulipExport } from '#test/support/exports/zulip-checker.ts'
import { zulipIds } from '#test/support/exports/zulip-messages.ts'

const root = mkdtempSync(join(tmpdir(), 'parley-export-'))
after(() => rmSync(root, { recursive: true, force: true }))

let first: Imported
before(async () => {
  first = await importFiles(zulipExport())
  first.db.$client.close()
})
after(() => rmSync(first.folder, { recursive: true, force: true }))

/** Runs the command on the imported folder. */
const exported = (name: string, ...args: string[]) =>
  exportForZulip(first.folder, join(root, name), ...args)

type Row = Record<string, unknown>
const table = (files: ReadonlyMap<string, Uint8Array>, name: string) =>
  JSON.parse(Buffer.from(files.get('realm.json') ?? []).toString())[`zerver_${name}`] as Row[]

for (const release of [11, 12]) {
  describe(`an export for Zulip ${release}`, () => {
    let made: Awaited<ReturnType<typeof exported>>
    before(async () => {
      made = await exported(`for-${release}`, '--for', String(release))
    })

    test('is one that Zulip imports', () => {
      assert.deepEqual(checkZulipExport(made.files, release), [])
    })

    test('comes back the same, but for what Zulip has no place for', async () => {
      const again = await importFiles(Object.fromEntries(made.files))
      try {
        const now = contents(again.rows)
        const then = await beforeIt()
        for (const [name, rows] of Object.entries(then)) {
          assert.deepEqual(now[name], lost(name, rows, release), name)
        }
        assert.deepEqual(unreadIn(again.db), unread)
      } finally {
        again.close()
      }
    })

    test('says what is lost, without a text of a message', () => {
      assert.match(made.said, /reminders, which Zulip does not import/)
      assert.equal(/polls and to-do lists/.test(made.said), release === 11)
      assert.doesNotMatch(made.said, /Message 1|just us/)
    })

    test('is the same file each time', async () => {
      const twice = await exported(`twice-${release}`, '--for', String(release))
      assert.ok(readFileSync(twice.file).equals(readFileSync(made.file)))
    })
  })
}

/** The rows that an organization is, without what is random or made anew. */
function contents(rows: Imported['rows']): Record<string, Row[]> {
  const all = Object.entries(compared).map(([name, sql]) => [name, rows(sql)] as const)
  return {
    ...Object.fromEntries(all),
    // A row that says what is so without it is as good as none.
    userSettings: rows('SELECT * FROM user_settings ORDER BY user_id, name').filter(
      isOtherThan(userSettingRules),
    ),
    userDefaults: rows('SELECT * FROM realm_user_defaults ORDER BY name').filter(
      isOtherThan(userSettingRules),
    ),
    realmSettings: rows(
      `SELECT name, value FROM realm_settings WHERE name <> 'placeholder_domain' ORDER BY name`,
    ).filter(isOtherThan({ ...realmSettingRules, ...defaultGroups(rows) })),
  }
}

type Rules = Readonly<Record<string, { readonly fallback: unknown }>>
const isOtherThan =
  (rules: Rules) =>
  ({ name, value }: Row) =>
    value !== JSON.stringify(rules[String(name)]?.fallback)

function defaultGroups(rows: Imported['rows']): Rules {
  const ids = new Map(
    rows('SELECT id, name FROM user_groups WHERE is_system').map((row) => [row.name, row.id]),
  )
  return Object.fromEntries(
    Object.entries(permissionRules.realm).map(([name, rule]) => [
      name,
      { fallback: ids.get(rule.default) },
    ]),
  )
}

const compared: Readonly<Record<string, string>> = {
  people: `SELECT id, email, api_email, full_name, role, is_active, bot_type, bot_owner_id, timezone,
    date_joined, avatar_source, avatar_hash IS NULL AS plain FROM users WHERE NOT is_system_bot ORDER BY id`,
  realm: 'SELECT name, description, date_created FROM realm',
  groups:
    'SELECT id, name, description, is_system, creator_id, deactivated FROM user_groups ORDER BY id',
  groupMembers: 'SELECT * FROM group_members ORDER BY group_id, user_id',
  subgroups: 'SELECT * FROM group_subgroups ORDER BY group_id, subgroup_id',
  channels: `SELECT id, name, description, creator_id, date_created, is_private, is_web_public,
    history_public, is_archived, is_default, retention_days, topics_policy, folder_id,
    can_send_message_group, can_administer_channel_group FROM channels ORDER BY id`,
  folders: 'SELECT id, name, description, is_archived FROM channel_folders ORDER BY position',
  subscriptions: 'SELECT * FROM subscriptions ORDER BY user_id, channel_id',
  messages: `SELECT m.id, m.sender_id, m.topic, m.content, m.sent_at, m.client, m.last_edit_at,
    m.last_moved_at, m.channel_wildcard, r.channel_id, r.direct_key
    FROM messages m JOIN recipients r ON r.id = m.recipient_id ORDER BY m.id`,
  edits: `SELECT message_id, user_id, edited_at, prev_topic, topic, prev_channel_id, channel_id,
    prev_content FROM message_edits ORDER BY message_id, id`,
  flags: 'SELECT * FROM message_flags ORDER BY user_id, message_id',
  reactions:
    'SELECT message_id, user_id, emoji_name, emoji_code, reaction_type FROM reactions ORDER BY 1, 2, 4',
  widgets: 'SELECT message_id, sender_id, content FROM submessages ORDER BY id',
  uploads: 'SELECT id, path_id, owner_id, file_hash, size FROM attachments ORDER BY id',
  claims: 'SELECT * FROM attachment_claims ORDER BY attachment_id, message_id',
  emoji: 'SELECT id, name, author_id, deactivated FROM realm_emoji ORDER BY id',
  fields: `SELECT id, name, hint, field_type, display_in_profile_summary, required, editable_by_user
    FROM profile_fields ORDER BY position`,
  values: 'SELECT user_id, field_id, value FROM profile_values ORDER BY user_id, field_id',
  linkifiers: 'SELECT pattern, url_template FROM linkifiers ORDER BY position',
  playgrounds: 'SELECT name, language, url_template FROM playgrounds ORDER BY id',
  domains: 'SELECT * FROM realm_domains ORDER BY domain',
  topics:
    'SELECT user_id, channel_id, topic, policy, last_updated FROM user_topics ORDER BY 1, 2, 3',
  mutes: 'SELECT * FROM muted_users ORDER BY user_id, muted_id',
  words: 'SELECT user_id, word FROM alert_words ORDER BY user_id, word_key',
  presence: 'SELECT user_id, active_at FROM presence ORDER BY user_id',
  statuses: 'SELECT * FROM user_statuses ORDER BY user_id',
  snippets: 'SELECT user_id, title, content, date_created FROM saved_snippets ORDER BY id',
  views: 'SELECT * FROM navigation_views ORDER BY user_id, fragment',
  scheduled:
    'SELECT sender_id, channel_id, topic, content, deliver_at FROM scheduled_messages ORDER BY id',
  services: 'SELECT user_id, base_url, interface FROM bot_services ORDER BY user_id',
  storage: 'SELECT user_id, key, value FROM bot_storage ORDER BY user_id, key',
}

/** What some people have not read. */
function unreadIn(db: Db): string[] {
  const found: string[] = []
  for (const person of [zulipIds.owner, zulipIds.member, zulipIds.guest]) {
    for (const { id } of listMessageIds(db)) {
      if (!isRead(db, person, id)) found.push(`${person}: ${id}`)
    }
  }
  return found
}

const listMessageIds = (db: Db) =>
  db.$client.prepare('SELECT id FROM messages WHERE id < 1040 OR id > 2980 ORDER BY id').all() as {
    id: number
  }[]

let unread: string[] = []
let original: Record<string, Row[]> | undefined
async function beforeIt(): Promise<Record<string, Row[]>> {
  if (original) return original
  const db = openDatabase(join(first.folder, 'parley.db'))
  try {
    original = contents((sql, ...values) => db.$client.prepare(sql).all(...values) as Row[])
    unread = unreadIn(db)
    return original
  } finally {
    db.$client.close()
  }
}

/** What a way through Zulip changes, all of it. */
function lost(name: string, rows: Row[], release: number): Row[] {
  if (name === 'widgets' && release < 12) return []
  if (name === 'edits') {
    // A change of nobody known is one of the notification bot, because Zulip refuses nobody.
    return rows.map((row) => ({ ...row, user_id: row.user_id ?? zulipIds.notificationBot }))
  }
  if (name === 'messages') {
    // Zulip renumbers people, so an ID in a mention would be someone else's.
    return rows.map(({ content, ...row }) => ({
      ...row,
      content: String(content).replace('@**Person 13|13**', '@**Person 13**'),
    }))
  }
  return rows
}

test('the archive has neither passwords nor keys, nor tokens for other services', async () => {
  const db = openDatabase(join(first.folder, 'parley.db'))
  db.$client
    .prepare("INSERT OR REPLACE INTO zoom_tokens (user_id, sealed) VALUES (?, 'sealed-for-zoom')")
    .run(zulipIds.member)
  db.$client.close()
  const { files } = await exported('secrets')
  const text = [...files].map(([, bytes]) => Buffer.from(bytes).toString('latin1')).join('\n')
  for (const name of ['api_key', 'password', 'token_hash', 'scrypt', 'sealed-for-zoom']) {
    assert.doesNotMatch(text, new RegExp(`"?${name}`), name)
  }
})

test('what this server has beyond Zulip is counted among the losses', async () => {
  const change = (...statements: string[]) => {
    const db = openDatabase(join(first.folder, 'parley.db'))
    for (const sql of statements) db.$client.prepare(sql).run()
    db.$client.close()
  }
  const { member } = zulipIds
  change(
    `INSERT INTO pinned_messages SELECT id, recipient_id, ${member}, 1 FROM messages LIMIT 3`,
    'INSERT INTO hidden_previews SELECT id FROM messages LIMIT 2',
    `INSERT INTO quiet_times (user_id, paused_until) VALUES (${member}, 2000000000)`,
    'UPDATE user_statuses SET ends_at = 2000000000',
  )
  const { said } = await exported('beyond')
  change(
    'UPDATE user_statuses SET ends_at = NULL',
    ...['pinned_messages', 'hidden_previews', 'quiet_times'].map((name) => `DELETE FROM ${name}`),
  )
  assert.match(said, /3 are pinned messages/)
  assert.match(said, /2 have link previews that their author hid/)
  assert.match(said, /1 are quiet times/)
  assert.match(said, /[1-9]\d* are statuses that would end/)
})

test('only public channels, and nobody’s private data, are in a public export', async () => {
  const { files } = await exported('public', '--public')
  assert.deepEqual(
    table(files, 'stream').map(({ id }) => id),
    [zulipIds.publicChannel, zulipIds.archivedChannel, zulipIds.unicodeChannel],
  )
  const text = [...files]
    .filter(([path]) => path.startsWith('messages-'))
    .map(([, bytes]) => Buffer.from(bytes).toString())
    .join('\n')
  assert.doesNotMatch(text, /just us|note to self|Message 2[0-9]"/)
  for (const name of [
    'alertword',
    'muteduser',
    'savedsnippet',
    'usertopic',
    'scheduledmessage',
    'navigationview',
    'userpresence',
    'botstoragedata',
  ]) {
    assert.deepEqual(table(files, name), [], name)
  }
  assert.doesNotMatch(text, /flags_mask/)
})

test('an address that someone hides from everyone is only in an export of everything', async () => {
  const hide = (visibility: number) => {
    const db = openDatabase(join(first.folder, 'parley.db'))
    db.$client
      .prepare(
        `INSERT OR REPLACE INTO user_settings (user_id, name, value)
         VALUES (?, 'email_address_visibility', ?)`,
      )
      .run(zulipIds.member, String(visibility))
    db.$client.close()
  }
  const addressIn = (files: ReadonlyMap<string, Uint8Array>) =>
    table(files, 'userprofile').find(({ id }) => id === zulipIds.member)?.delivery_email
  hide(4)
  const hidden = await exported('hidden', '--public')
  assert.equal(addressIn(hidden.files), `user${zulipIds.member}@chat.example.org`)
  assert.match(hidden.said, /1 hide their address from everyone/)
  assert.equal(addressIn((await exported('whole')).files), 'person12@example.com')
  hide(3)
  assert.equal(addressIn((await exported('shown', '--public')).files), 'person12@example.com')
})

/** Lets someone be seen, so many days ago. */
function see(person: number, days: number): void {
  const db = openDatabase(join(first.folder, 'parley.db'))
  db.$client.prepare('UPDATE users SET awaits_first_login = 0 WHERE id = ?').run(person)
  db.$client
    .prepare(
      `INSERT OR REPLACE INTO presence (user_id, active_at, idle_at, update_id)
       VALUES (?, unixepoch() - @ago, unixepoch() - @ago, 900000 + ?)`,
    )
    .run(person, person, { ago: days * 24 * 3600 })
  db.$client.close()
}

const flagsIn = (files: ReadonlyMap<string, Uint8Array>) =>
  [...files].flatMap(([path, bytes]) =>
    path.startsWith('messages-')
      ? (JSON.parse(Buffer.from(bytes).toString()).zerver_usermessage as Row[])
      : [],
  )

describe('people who were not seen for two months', () => {
  const { bot, gone, guest, member, owner, twin } = zulipIds
  let files: ReadonlyMap<string, Uint8Array>
  before(async () => {
    see(owner, 59)
    see(guest, 61)
    files = (await exported('idle')).files
  })

  test('are idle as of the newest message, with those who never logged in, but for bots', () => {
    const people = table(files, 'userprofile').map((row) => [
      row.id,
      row.long_term_idle,
      row.last_active_message_id,
    ])
    assert.deepEqual(people, [
      [owner, false, null],
      ...[member, guest, gone].map((id) => [id, true, 3001]),
      [bot, false, null],
      [twin, true, 3001],
    ])
  })

  test('have rows of what they have not read or marked, or may only see by them', () => {
    const rows = flagsIn(files)
    assert.ok(rows.some((row) => row.user_profile === owner && row.flags_mask === 1))
    const read = rows.filter((row) => row.user_profile !== owner && row.flags_mask === 1)
    // The history of this channel is protected.
    assert.deepEqual(
      read.map((row) => [row.user_profile, row.message]),
      [1025, 1026, 1027, 1028, 1029].map((id) => [member, id]),
    )
    const ofGuest = rows.filter((row) => row.user_profile === guest)
    assert.deepEqual(
      ofGuest.filter(({ flags_mask }) => Number(flags_mask) % 2 === 0).length,
      10 + 1,
    )
    assert.ok(rows.some((row) => row.user_profile === gone && row.message === 1001))
  })

  test('are counted among the losses', async () => {
    assert.match((await exported('idle-said')).said, /4 have not logged in yet/)
  })
})

test('people without an address come back as such, and not as those whose address is taken', async () => {
  const change = (sql: string) => {
    const db = openDatabase(join(first.folder, 'parley.db'))
    db.$client.prepare(sql).run()
    db.$client.close()
  }
  const columns = ['email', 'email_key', 'api_email', 'api_email_key']
  change('CREATE TABLE kept AS SELECT * FROM users')
  change(`UPDATE users SET ${columns.map((name) => `${name} = 'talk-' || id || '@localhost'`)}
    WHERE NOT is_system_bot`)
  const { files } = await exported('nowhere')
  change(
    `UPDATE users SET ${columns.map(
      (name) => `${name} = (SELECT k.${name} FROM kept k WHERE k.id = users.id)`,
    )}`,
  )
  change('DROP TABLE kept')
  const again = await importFiles(Object.fromEntries(files))
  try {
    const changed = again.report.tables.people?.changed
    assert.deepEqual([changed?.['no-address']?.count, changed?.duplicate], [6, undefined])
    const addresses = again.rows('SELECT email FROM users WHERE NOT is_system_bot ORDER BY id')
    assert.deepEqual(
      addresses.map(({ email }) => email),
      [11, 12, 13, 14, 15, 16].map((id) => `zulip-${id}@chat.example.org`),
    )
  } finally {
    again.close()
  }
})

test('lean flags leave out only rows that say that an old message of a public channel was read', async () => {
  see(zulipIds.owner, 1)
  const all = flagsIn((await exported('all')).files)
  const lean = flagsIn((await exported('lean', '--lean-flags')).files)
  const left = all.filter(
    (row) =>
      !lean.some((each) => each.message === row.message && each.user_profile === row.user_profile),
  )
  assert.ok(left.length > 0)
  assert.deepEqual([...new Set(left.map(({ flags_mask }) => flags_mask))], [1])
})

describe('the checker', () => {
  const wide = 'x'.repeat(61)
  const broken: [string, (files: Map<string, Uint8Array>) => void][] = [
    ['a file that is not there', (files) => void files.delete('attachment.json')],
    [
      'a gap in the numbers of files',
      (files) => {
        files.set('messages-000009.json', files.get('messages-000002.json') ?? new Uint8Array())
        files.delete('messages-000002.json')
      },
    ],
    [
      'a member that the release does not know',
      change('stream', (row) => ({ ...row, can_create_topic_group: 1 })),
    ],
    ['a member that is no column', change('usertopic', (row) => ({ ...row, realm: 1 }))],
    ['a member that Zulip fills', change('userprofile', (row) => ({ ...row, api_key: 'x' }))],
    ['a text where a number goes', change('usertopic', (row) => ({ ...row, stream: '101' }))],
    ['a number that is too large', change('stream', (row) => ({ ...row, topics_policy: 40_000 }))],
    ['a text that is too long', change('usertopic', (row) => ({ ...row, topic_name: wide }))],
    ['nothing where something goes', change('realmemoji', (row) => ({ ...row, author: null }))],
    ['a missing relation', change('stream', ({ can_subscribe_group: _, ...row }) => row)],
    ['a missing size', change('huddle', ({ group_size: _, ...row }) => row)],
    ['a table that nobody knows', (files) => renamed(files)],
    ['a missing date', change('userprofile', ({ date_joined: _, ...row }) => row)],
    [
      'an address that is there twice',
      change('userprofile', (row) => ({ ...row, delivery_email: 'a@example.com' })),
    ],
    ['a reference to nothing', change('subscription', (row) => ({ ...row, recipient: 987_654 }))],
    ['no owner', change('userprofile', (row) => ({ ...row, role: 400 }))],
    ['nobody who can log in', change('realmauthenticationmethod', () => undefined)],
    ['an ID beyond int32', change('stream', (row) => ({ ...row, id: 2 ** 31 }))],
    [
      'a reaction that is there twice',
      change('reaction', (row) => ({
        ...row,
        user_profile: 11,
        emoji_code: 'x',
        reaction_type: 'unicode_emoji',
      })),
    ],
    ['an emoji of another name', change('realmemoji', (row) => ({ ...row, name: 'other' }))],
  ]
  for (const [name, breakIt] of broken) {
    test(`refuses ${name}`, async () => {
      const files = new Map((await once()).files)
      assert.deepEqual(checkZulipExport(files, 11), [])
      breakIt(files)
      assert.notDeepEqual(checkZulipExport(files, 11), [])
    })
  }

  function renamed(files: Map<string, Uint8Array>): void {
    const realm = Buffer.from(files.get('realm.json') ?? []).toString()
    files.set('realm.json', Buffer.from(realm.replace('"zerver_alertword"', '"zerver_words"')))
  }

  let made: Awaited<ReturnType<typeof exported>> | undefined
  async function once() {
    made ??= await exported('checked')
    return made
  }

  function change(name: string, to: (row: Row) => Row | undefined) {
    return (files: Map<string, Uint8Array>) => {
      const realm = JSON.parse(Buffer.from(files.get('realm.json') ?? []).toString())
      realm[`zerver_${name}`] = realm[`zerver_${name}`].flatMap((row: Row) => to(row) ?? [])
      files.set('realm.json', Buffer.from(JSON.stringify(realm)))
    }
  }
})
