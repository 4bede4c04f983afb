import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Submessage } from '#client/state/model.ts'
import { widgetOf } from '#shared/widget-state.ts'
import { type Imported, importFiles } from '#test/support/exports/importing.ts'
import { isRead } from '#test/support/exports/read.ts'
import { zulipExport } from '#test/support/exports/zulip.ts'
import { zulipIds, zulipMessages } from '#test/support/exports/zulip-messages.ts'

let made: Imported
before(async () => {
  made = await importFiles(zulipExport())
})
after(() => made.close())

const rows = (sql: string, ...values: unknown[]) => made.rows(sql, ...values)
const row = (sql: string, ...values: unknown[]) => made.rows(sql, ...values)[0] ?? {}
const message = (n: number) => row('SELECT * FROM messages WHERE id = ?', 1000 + n)

test('IDs of people, groups, channels and messages are kept, and system bots and groups have theirs', () => {
  const people = rows('SELECT id FROM users WHERE NOT is_system_bot ORDER BY id').map(
    ({ id }) => id,
  )
  assert.deepEqual(people, [11, 12, 13, 14, 15, 16])
  const bots = rows('SELECT id, email FROM users WHERE is_system_bot ORDER BY id')
  assert.deepEqual(
    bots.map(({ id }) => id),
    [6, 17, 18, 19, 20],
  )
  assert.match(String(bots[0]?.email), /^notification-bot@/)
  assert.deepEqual(
    rows('SELECT id, name FROM user_groups WHERE is_system ORDER BY id').map(({ id }) => id),
    [201, 202, 203, 204, 205, 206, 207, 208],
  )
  assert.deepEqual(
    rows('SELECT id FROM channels ORDER BY id').map(({ id }) => id),
    [101, 102, 103, 104],
  )
  const { count, first, last } = row(
    'SELECT count(*) AS count, min(id) AS first, max(id) AS last FROM messages',
  )
  assert.deepEqual([count, first, last], [zulipMessages - 1, 1001, 1000 + zulipMessages])
  assert.equal(
    row("SELECT seq FROM sqlite_sequence WHERE name = 'messages'").seq,
    1000 + zulipMessages,
  )
  assert.equal(row('SELECT id FROM realm').id, 1)
})

test('the organization has its settings, permissions and announcement channel', () => {
  const settings = Object.fromEntries(
    rows('SELECT name, value FROM realm_settings').map(({ name, value }) => [name, value]),
  )
  const expected = {
    allow_message_editing: 'false',
    message_edit_history_visibility_policy: '"moves"',
    topics_policy: '"disable_empty_topic"',
    waiting_period_threshold: '3',
    new_stream_announcements_stream_id: '101',
    can_create_groups: '220',
    placeholder_domain: '"old.example.org"',
  }
  for (const [name, value] of Object.entries(expected)) assert.equal(settings[name], value, name)
  assert.equal(settings.can_add_custom_emoji_group, undefined)
  const examples = made.report.tables.settings?.skipped['bad-value']?.examples ?? []
  assert.deepEqual(
    examples.includes('video_chat_provider') && examples.includes('can_add_custom_emoji_group'),
    true,
  )
  assert.equal(row('SELECT name FROM realm').name, 'Old Chat')
  assert.deepEqual(
    rows('SELECT name, value FROM realm_user_defaults ORDER BY name').map(
      ({ name, value }) => `${name} ${value}`,
    ),
    [
      'email_address_visibility 3',
      'enter_sends true',
      'resolved_topic_notice_auto_read_policy "never"',
      'web_font_size_px 16',
    ],
  )
})

test('people have their addresses, roles, bots and own settings, and no password', () => {
  const found = rows(
    'SELECT email, api_email AS api, role, is_active AS active, bot_type AS bot, bot_owner_id AS owner, password_hash AS hash, timezone FROM users WHERE NOT is_system_bot ORDER BY id',
  )
  assert.deepEqual(
    found.map(({ active, api, bot, email, owner, role }) => [email, api, role, active, bot, owner]),
    [
      ['person11@example.com', 'user11@old.example.org', 100, 1, null, null],
      ['person12@example.com', 'user12@old.example.org', 400, 1, null, null],
      ['person13@example.com', 'user13@old.example.org', 600, 1, null, null],
      ['person14@example.com', 'user14@old.example.org', 400, 0, null, null],
      ['person15@example.com', 'person15@example.com', 400, 1, 3, 11],
      // Twins in all but case: one of them gets a placeholder.
      ['zulip-16@old.example.org', 'user16@old.example.org', 400, 1, null, null],
    ],
  )
  assert.deepEqual(new Set(found.map(({ hash }) => hash)), new Set([null]))
  assert.equal(made.report.tables.people?.changed.duplicate?.count, 1)
  const own = rows(
    "SELECT name, value FROM user_settings WHERE user_id = 11 AND name IN ('web_font_size_px', 'enter_sends') ORDER BY name",
  )
  assert.deepEqual(own, [
    { name: 'enter_sends', value: 'false' },
    { name: 'web_font_size_px', value: '20' },
  ])
  const { avatar, source } = row(
    'SELECT avatar_hash AS avatar, avatar_source AS source FROM users WHERE id = 11',
  )
  assert.deepEqual([typeof avatar, source], ['string', 'U'])
  const service = row('SELECT base_url, interface, token FROM bot_services WHERE user_id = 15')
  assert.deepEqual(
    [service.base_url, service.interface, service.token === 'secret'],
    ['https://hooks.example.com/', 2, false],
  )
  assert.deepEqual(rows('SELECT key, value FROM bot_storage'), [{ key: 'count', value: '7' }])
  assert.equal(row('SELECT sending_channel_id AS id FROM bot_options WHERE user_id = 15').id, 101)
})

test('groups have their members, named and anonymous ones, but system groups follow from roles', () => {
  assert.deepEqual(rows('SELECT group_id, user_id FROM group_members ORDER BY group_id'), [
    { group_id: 220, user_id: 12 },
    { group_id: 221, user_id: 11 },
  ])
  assert.deepEqual(rows('SELECT group_id, subgroup_id FROM group_subgroups'), [
    { group_id: 221, subgroup_id: 220 },
  ])
  assert.deepEqual(rows('SELECT id, name FROM user_groups WHERE NOT is_system ORDER BY id'), [
    { id: 220, name: 'crew' },
    { id: 221, name: null },
  ])
  assert.equal(row('SELECT can_mention_group AS id FROM user_groups WHERE id = 220').id, 206)
})

test('channels have their kinds, policies, permissions and folders', () => {
  const found =
    rows(`SELECT name, is_private AS private, history_public AS history, is_archived AS archived, is_default AS isDefault,
    retention_days AS days, topics_policy AS policy, folder_id AS folder, can_send_message_group AS send,
    can_administer_channel_group AS administer, first_message_id AS first FROM channels ORDER BY id`)
  assert.deepEqual(
    found.map((each) => Object.values(each)),
    [
      ['channel 101', 0, 1, 0, 1, null, 'inherit', 7, 207, 221, 1001],
      ['channel 102', 1, 0, 0, 0, -1, 'disable_empty_topic', null, 207, 221, 1020],
      ['channel 103', 0, 1, 1, 0, 30, 'inherit', null, 207, 221, null],
      ['größe 日本', 0, 1, 0, 0, null, 'inherit', null, 220, 221, 1009],
    ],
  )
  assert.match(
    String(row('SELECT rendered_description AS html FROM channels WHERE id = 101').html),
    /data-stream-id="101"/,
  )
  assert.deepEqual(
    rows('SELECT name, position FROM channel_folders ORDER BY position').map(({ name }) => name),
    ['First', 'Later'],
  )
})

test('subscriptions have their settings', () => {
  const { color, muted, pinned, push } = row(
    'SELECT color, is_muted AS muted, pin_to_top AS pinned, push_notifications AS push FROM subscriptions WHERE user_id = 11 AND channel_id = 102',
  )
  assert.deepEqual([color, muted, pinned, push], ['#112233', 1, 1, 1])
  assert.equal(
    row('SELECT is_active AS active FROM subscriptions WHERE user_id = 14 AND channel_id = 104')
      .active,
    0,
  )
})

describe('when someone was subscribed is known', () => {
  const span = (user: number, channel: number) => {
    const found = rows(
      'SELECT from_message AS "from", until_message AS until FROM subscription_spans WHERE user_id = ? AND channel_id = ?',
      user,
      channel,
    )
    return found.map(({ from, until }) => [from, until])
  }
  test('by the message that the audit log names, where its time agrees', () => {
    assert.deepEqual(span(zulipIds.guest, 101), [[1010, null]])
  })
  test('else by the time: an earlier import never renumbered the message', () => {
    assert.deepEqual(span(zulipIds.gone, 104), [[0, 1020]])
  })
  test('without the log by the messages that they got, where history is protected', () => {
    assert.deepEqual(span(zulipIds.member, 102), [[1025, null]])
    assert.deepEqual(span(zulipIds.owner, 102), [[1020, null]])
  })
  test('else from the beginning on', () => {
    assert.deepEqual(span(zulipIds.owner, 101), [[0, null]])
  })
})

test('what is read is read, and those who were away for long have the rest to read', () => {
  const unreadOf = (user: number, from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => from + i).filter((id) => !isRead(made.db, user, id))
  const last = 1000 + zulipMessages
  // They are not subscribed to the channel of 1009, and 1014 is nowhere.
  assert.deepEqual(unreadOf(zulipIds.owner, 1001, last + 1), [1009, 1014])
  assert.deepEqual(
    unreadOf(zulipIds.guest, last - 20, last + 1),
    Array.from({ length: 10 }, (_, i) => last - 9 + i),
  )
  assert.ok(unreadOf(zulipIds.guest, 1001, 1002).length === 1)
  assert.deepEqual(
    unreadOf(zulipIds.member, 2985, 3002),
    Array.from({ length: 11 }, (_, i) => 2991 + i),
  )
  assert.deepEqual(
    [isRead(made.db, zulipIds.member, 1004), isRead(made.db, zulipIds.member, 1005)],
    [true, false],
  )
})

test('flags are kept where Parley has a place for them', () => {
  assert.deepEqual(
    rows('SELECT user_id, flags FROM message_flags WHERE message_id = 1001 ORDER BY user_id'),
    [
      { user_id: 11, flags: 1 },
      { user_id: 12, flags: 16 },
      { user_id: 13, flags: 2 },
      { user_id: 14, flags: 4 + 8 },
      { user_id: 15, flags: 2 },
    ],
  )
})

test('direct messages are in one conversation for each set of people', () => {
  const found = rows(
    'SELECT m.id, r.direct_key AS people FROM messages m JOIN recipients r ON r.id = m.recipient_id WHERE r.direct_key IS NOT NULL ORDER BY m.id',
  )
  assert.deepEqual(found, [
    { id: 1004, people: '11,12' },
    { id: 1005, people: '11,12' },
    { id: 1006, people: '11' },
    { id: 1007, people: '11,12,13' },
    { id: 1008, people: '11,12,13,14' },
    { id: 1017, people: '6,11' },
    { id: 1018, people: '6,11' },
  ])
  assert.equal(message(4).topic, '')
})

test('texts are rendered again: former names in mentions are found, old HTML is not trusted', () => {
  assert.match(
    String(message(2).rendered_content),
    /data-user-id="12">@New Name<.*data-user-id="13">@Person 13</,
  )
  assert.equal(message(10).rendered_content, '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>')
  const { channel_wildcard, client_id, content, is_me, sent_at, topic } = message(9)
  const { name: client } = row('SELECT name FROM clients WHERE id = ?', Number(client_id))
  assert.deepEqual(
    [content, is_me, topic, client, sent_at, channel_wildcard],
    ['/me waves', 1, 'größe ✔', 'website', 1_700_000_540, 0],
  )
  assert.equal(message(16).channel_wildcard, 1)
  assert.match(
    String(message(16).rendered_content),
    /href="\/?#narrow\/channel\/101-channel-101\/topic\/plans\/near\/1003"/,
  )
  assert.equal(message(13).sender_id, 6)
})

test('the history of edits is kept, oldest first, with times of the last edit and move', () => {
  const found = rows(
    'SELECT user_id, prev_topic, topic, prev_channel_id AS was, channel_id AS channel, prev_content AS content, prev_rendered_content AS html FROM message_edits WHERE message_id = 1011 ORDER BY id',
  )
  assert.deepEqual(
    found.map((each) => Object.values(each)),
    [
      [null, 'plans', 'moved here', 104, 101, null, null],
      [11, null, null, null, null, 'then', '<p>then</p>'],
    ],
  )
  const { last_edit_at, last_moved_at } = message(11)
  assert.deepEqual([last_edit_at, last_moved_at], [1_700_005_000, 1_700_004_000])
  assert.deepEqual([message(12).last_edit_at, message(12).last_moved_at], [null, null])
  assert.equal(made.report.tables.edits?.skipped['bad-value']?.count, 1)
  assert.deepEqual(
    rows('SELECT user_id, prev_content AS content FROM message_edits WHERE message_id = 1032'),
    [{ user_id: null, content: 'before' }],
  )
})

test('the time of the last edit is kept of messages whose earlier texts nobody has', () => {
  const times = [19, 31].map((n) => [message(n).last_edit_at, message(n).last_moved_at])
  assert.deepEqual(times, [
    [1_700_007_000, null],
    [1_700_007_000, 1_700_008_000],
  ])
  assert.deepEqual(rows('SELECT id FROM message_edits WHERE message_id = 1019'), [])
})

test('uploads keep their addresses, and are readable through the messages that show them', () => {
  const file = row(
    "SELECT id, path_id AS path, name, size, unclaimed_since AS since FROM attachments WHERE name = 'plan.txt'",
  )
  assert.deepEqual([file.path, file.size, file.since], ['2/ab/cdef/plan.txt', 8, null])
  assert.deepEqual(
    rows('SELECT message_id FROM attachment_claims WHERE attachment_id = ?', file.id),
    [{ message_id: 1003 }],
  )
  assert.equal(message(3).has_attachment, 1)
  assert.deepEqual(made.report.tables.files?.skipped['missing-file'], {
    count: 1,
    examples: ['lost.txt'],
  })
})

test('reactions of all kinds, custom emoji, polls and pictures are kept', () => {
  assert.deepEqual(
    rows('SELECT emoji_code AS code, reaction_type AS type FROM reactions ORDER BY id').map(
      ({ code }) => code,
    ),
    ['1f389', '31', 'zulip'],
  )
  const { absent, duplicate } = made.report.tables.reactions?.skipped ?? {}
  assert.deepEqual([absent?.count, duplicate?.count], [1, 1])
  assert.deepEqual(rows('SELECT id, name, deactivated FROM realm_emoji'), [
    { id: 31, name: 'tick', deactivated: 0 },
  ])
  assert.equal(made.report.tables['custom emoji']?.skipped['missing-file']?.count, 1)
  assert.deepEqual(rows('SELECT kind FROM realm_pictures'), [{ kind: 'icon' }])
})

test('tasks that were ticked stay so', () => {
  const kept = rows(`SELECT id, sender_id AS senderId, content FROM submessages
    WHERE message_id = 1002 ORDER BY id`) as unknown as Submessage[]
  const widget = widgetOf(kept, kept[0]?.senderId ?? 0)
  assert.deepEqual(widget?.kind === 'todo' && widget.tasks.map(({ isDone }) => isDone), [
    true,
    true,
  ])
})

test('what people have set is kept', () => {
  assert.deepEqual(rows('SELECT topic, policy FROM user_topics'), [{ topic: 'Plans', policy: 3 }])
  assert.deepEqual(rows('SELECT user_id, muted_id FROM muted_users'), [
    { user_id: 11, muted_id: 13 },
  ])
  assert.deepEqual(rows('SELECT word FROM alert_words'), [{ word: 'Deadline' }])
  assert.deepEqual(rows('SELECT user_id, update_id FROM presence'), [{ user_id: 11, update_id: 1 }])
  assert.deepEqual(rows('SELECT status_text AS text, emoji_code AS code FROM user_statuses'), [
    { text: 'away', code: '31' },
  ])
  assert.deepEqual(rows('SELECT title FROM saved_snippets'), [{ title: 'Thanks' }])
  assert.deepEqual(rows('SELECT fragment FROM navigation_views'), [{ fragment: 'inbox' }])
  assert.deepEqual(rows('SELECT topic, content FROM scheduled_messages'), [
    { topic: 'later', content: 'Soon' },
  ])
  assert.deepEqual(rows('SELECT message_id AS id, note FROM reminders'), [
    { id: 1001, note: 'look' },
  ])
  assert.deepEqual(rows('SELECT pattern FROM linkifiers'), [{ pattern: '#(?P<id>[0-9]+)' }])
  assert.deepEqual(rows('SELECT name, language FROM playgrounds'), [
    { name: 'Play', language: 'Rust' },
  ])
  assert.deepEqual(rows('SELECT domain FROM realm_domains'), [{ domain: 'example.com' }])
  assert.deepEqual(
    rows('SELECT name, position FROM profile_fields ORDER BY position').map(({ name }) => name),
    ['Motto', 'Buddies'],
  )
  assert.deepEqual(
    rows('SELECT value, rendered_value AS html FROM profile_values ORDER BY field_id'),
    [
      { value: '**Onwards**', html: '<p><strong>Onwards</strong></p>' },
      { value: '[12,13]', html: null },
    ],
  )
})

test('the report tells of tables that are not known, and has no text of messages and no secrets', () => {
  const { other } = made.report.tables
  assert.deepEqual(
    [other?.skipped['unknown-table']?.examples, other?.skipped['no-place']?.examples],
    [['zerver_novelty'], ['zerver_useractivity']],
  )
  assert.equal(made.report.tables.messages?.skipped.absent?.count, 1)
  assert.doesNotMatch(JSON.stringify(made.report), /Message \d|secret|@example\.com|to nowhere/)
})

test('with a mark that messages are to be sorted by date they get new IDs in that order', async () => {
  const files = zulipExport()
  const realm = JSON.parse(String(files['realm.json']))
  const first = JSON.parse(String(files['messages-000001.json']))
  first.zerver_message[0].date_sent += 1e6
  const sorted = await importFiles({
    ...files,
    'realm.json': JSON.stringify({ sort_by_date: true, ...realm }),
    'messages-000001.json': JSON.stringify(first),
  })
  try {
    assert.deepEqual(sorted.rows('SELECT id, content FROM messages ORDER BY id DESC LIMIT 1'), [
      { id: zulipMessages - 1, content: 'Message 1' },
    ])
    assert.equal(sorted.rows('SELECT 1 FROM attachment_claims').length, 1)
  } finally {
    sorted.close()
  }
})

test('IDs that contradict the dates of messages are kept, and told', async () => {
  const files = zulipExport()
  const first = JSON.parse(String(files['messages-000001.json']))
  first.zerver_message[0].date_sent += 1e6
  const kept = await importFiles({ ...files, 'messages-000001.json': JSON.stringify(first) })
  try {
    assert.deepEqual(kept.rows("SELECT id FROM messages WHERE content = 'Message 1'"), [
      { id: 1001 },
    ])
    const told = kept.report.tables.messages?.changed['older-order']
    assert.deepEqual([told?.count, told?.examples[0]], [zulipMessages - 2, '1002'])
    assert.deepEqual(
      kept.rows('SELECT max_disorder FROM message_order'),
      kept.rows(`SELECT max(earlier.sent_at - later.sent_at) AS max_disorder
        FROM messages earlier JOIN messages later ON later.id > earlier.id`),
    )
  } finally {
    kept.close()
  }
})

test('an organization that was deactivated for its export is open, and members that lack values get the defaults', async () => {
  const files = zulipExport()
  const realm = JSON.parse(String(files['realm.json']))
  realm.zerver_realm[0].deactivated = true
  for (const each of realm.zerver_userprofile) {
    delete each.timezone
    delete each.web_font_size_px
  }
  delete realm.zerver_savedsnippet
  const opened = await importFiles({ ...files, 'realm.json': JSON.stringify(realm) })
  try {
    const { settings } = opened.report.tables
    assert.deepEqual(settings?.skipped['no-place']?.examples.includes('deactivated'), true)
    assert.deepEqual(opened.rows('SELECT id, timezone FROM users WHERE id = 11'), [
      { id: 11, timezone: '' },
    ])
    assert.deepEqual(opened.rows('SELECT 1 FROM saved_snippets'), [])
  } finally {
    opened.close()
  }
})
