import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fixtureTime } from '#program/fixture/seed.ts'
import { failure, success } from './support/replies.ts'
import { startServer, type TestServer } from './support/server.ts'

const server = await startServer()
after(server.close)

type Row = Record<string, unknown>

/** Everything that a register reply says, of one type or of all. */
async function register(from: TestServer, type?: string, actor: 'admin' | 'guest' = 'admin') {
  const watch = await from.as(actor).watchWith({
    event_types: [],
    ...(type && { fetch_event_types: [type] }),
    include_subscribers: 'true',
    client_gravatar: false,
    client_capabilities: { archived_channels: true, empty_topic_name: true },
  })
  return watch.state
}

const pick = (rows: unknown, ...members: string[]) =>
  (rows as Row[]).map((row) => members.map((member) => row[member]))

test('people and bots have their ids, names, roles and time zones', async () => {
  const state = await register(server, 'realm_user')
  assert.deepEqual(pick(state.cross_realm_bots, 'user_id', 'email', 'full_name'), [
    [1, 'emailgateway@zulip.com', 'Email Gateway'],
    [2, 'nagios-receive-bot@zulip.com', 'Nagios Receive Bot'],
    [3, 'nagios-send-bot@zulip.com', 'Nagios Send Bot'],
    [4, 'notification-bot@zulip.com', 'Notification Bot'],
    [5, 'welcome-bot@zulip.com', 'Welcome Bot'],
  ])
  assert.deepEqual(pick(state.realm_users, 'user_id', 'delivery_email', 'full_name', 'role'), [
    [6, 'AARON@zulip.com', 'aaron', 400],
    [7, 'ZOE@zulip.com', 'Zoe', 400],
    [8, 'cordelia@zulip.com', "Cordelia, Lear's daughter", 400],
    [9, 'desdemona@zulip.com', 'Desdemona', 100],
    [10, 'hamlet@zulip.com', 'King Hamlet', 400],
    [11, 'iago@zulip.com', 'Iago', 200],
    [12, 'othello@zulip.com', 'Othello, the Moor of Venice', 400],
    [13, 'polonius@zulip.com', 'Polonius', 600],
    [14, 'prospero@zulip.com', 'Prospero from The Tempest', 400],
    [15, 'shiva@zulip.com', 'शिव', 300],
    [16, 'default-bot@zulip.com', 'Zulip Default Bot', 400],
    [17, 'webhook-bot@zulip.com', 'Zulip Webhook Bot', 400],
    [18, 'outgoing-webhook@zulip.com', 'Outgoing Webhook', 400],
  ])
  assert.deepEqual(pick((state.realm_users as Row[]).slice(-3), 'bot_type', 'bot_owner_id'), [
    [1, 9],
    [2, 7],
    [3, 6],
  ])
  assert.deepEqual((state.realm_users as Row[]).map(({ timezone }) => timezone).slice(0, 10), [
    'US/Pacific',
    'US/Eastern',
    'UTC',
    'Canada/Newfoundland',
    '',
    'US/Eastern',
    'US/Pacific',
    'Asia/Shanghai',
    '',
    'Asia/Kolkata',
  ])
})

test('keys follow from the address, in any case of letters', async () => {
  const key = createHash('sha256').update('parley fixture aaron@zulip.com').digest('hex')
  const reply = await server.anonymous.post('/dev_fetch_api_key', { username: 'AARON@zulip.com' })
  assert.equal(reply.api_key, key.slice(0, 32))
})

test('passwords follow from the address', async () => {
  for (const username of ['AARON@zulip.com', 'iago@zulip.com', 'polonius@zulip.com']) {
    const password = `${username.split('@')[0]}-password`
    const reply = await server.anonymous.post('/fetch_api_key', { username, password })
    assert.equal(reply.result, 'success')
  }
})

describe('channels', () => {
  // biome-ignore format: a table reads best in columns
  const expected: [number, string, number | null, number[]][] = [
    [1, 'Zulip',        null, [9, 10, 11]],
    [2, 'sandbox',      null, [9, 10, 11]],
    [3, 'Verona',       null, [6, 7, 8, 9, 10, 11, 12, 13, 14, 15]],
    [4, 'Denmark',      null, [7, 9, 10, 11, 12, 14, 15]],
    [5, 'Rome',         null, [7]],
    [6, 'Scotland',     11,   [7, 11, 12, 14, 15]],
    [7, 'Venice',       13,   [7, 9, 14]],
    [8, 'core team',    9,    [9, 10, 11]],
    [9, 'announce',     null, [6, 7, 8, 9, 10, 11, 12, 13, 14, 15]],
    [10, 'design',      10,   [6, 7, 8, 9, 10, 11, 12, 13, 14, 15]],
    [11, 'devel',       null, [6, 7, 8, 9, 10, 11, 12, 13, 14, 15]],
    [12, 'errors',      null, [6, 7, 8, 9, 10, 11, 12, 13, 14, 15]],
    [13, 'social',      null, [6, 7, 8, 9, 10, 11, 12, 13, 14, 15]],
    [14, 'support',     null, [6, 7, 8, 9, 10, 11, 12, 13, 14, 15]],
    [15, 'test',        null, [6, 7, 8, 9, 10, 11, 12, 13, 14, 15]],
    [16, 'ビデオゲーム', null, [6, 7, 8, 9, 10, 11, 12, 13, 14, 15]],
    [17, '조리법 😎',    null, [6, 7, 8, 9, 10, 11, 12, 13, 14, 15]],
  ]
  test('have their ids, names, creators and subscribers', async () => {
    const { subscriptions, never_subscribed } = await register(server, 'subscription')
    const all = [...(subscriptions as Row[]), ...(never_subscribed as Row[])]
    all.sort((a, b) => Number(a.stream_id) - Number(b.stream_id))
    assert.deepEqual(pick(all, 'stream_id', 'name', 'creator_id', 'subscribers'), expected)
    const settings = new Map(all.map((channel) => [channel.name, channel]))
    assert.equal(settings.get('core team')?.invite_only, true)
    assert.equal(settings.get('Rome')?.is_web_public, true)
    assert.equal(settings.get('announce')?.stream_post_policy, 2)
    assert.equal(settings.get('Verona')?.description, 'A city in Italy')
    assert.equal(settings.get('Denmark')?.description, 'A Scandinavian country')
    const { rendered_description } = settings.get('test') ?? {}
    assert.equal(rendered_description, '<p>For testing <code>code</code></p>')
  })
  test('are sorted into folders', async () => {
    const { channel_folders } = await register(server, 'channel_folders')
    assert.deepEqual(pick(channel_folders, 'id', 'name'), [
      [1, 'Engineering'],
      [2, 'Information'],
    ])
    const { streams } = await register(server, 'stream')
    const filed = (streams as Row[]).filter(({ folder_id }) => folder_id !== null)
    assert.deepEqual(pick(filed, 'name', 'folder_id'), [
      ['announce', 2],
      ['devel', 1],
      ['errors', 1],
      ['support', 2],
      ['test', 1],
    ])
  })
  test('are those that new people start with', async () => {
    const { realm_default_streams } = await register(server, 'default_streams')
    assert.deepEqual(realm_default_streams, [1, 2, 3, 10, 11, 13, 14])
  })
})

test('the system groups come first, then the characters of Hamlet', async () => {
  const { realm_user_groups } = await register(server, 'realm_user_groups')
  assert.deepEqual(pick(realm_user_groups, 'id', 'name', 'members', 'direct_subgroup_ids'), [
    [1, 'role:nobody', [], []],
    [2, 'role:owners', [9], []],
    [3, 'role:administrators', [11], [2]],
    [4, 'role:moderators', [15], [3]],
    [5, 'role:fullmembers', [6, 7, 8, 10, 12, 14, 16, 17, 18], [4]],
    [6, 'role:members', [6, 7, 8, 10, 12, 14, 16, 17, 18], [5]],
    [7, 'role:everyone', [13], [6]],
    [8, 'role:internet', [], [7]],
    ...(realm_user_groups as Row[]).slice(8).map(({ id }) => [id, 'hamletcharacters', [8, 10], []]),
  ])
  const group = (realm_user_groups as Row[])[8]
  const creator = { direct_members: [8], direct_subgroups: [] }
  assert.equal((realm_user_groups as Row[]).length, 9)
  assert.deepEqual(
    { ...group, id: 0 },
    {
      id: 0,
      name: 'hamletcharacters',
      description: 'Characters of Hamlet',
      members: [8, 10],
      direct_subgroup_ids: [],
      is_system_group: false,
      creator_id: 8,
      date_created: fixtureTime / 1000,
      deactivated: false,
      can_add_members_group: creator,
      can_join_group: 1,
      can_leave_group: 7,
      can_manage_group: creator,
      can_mention_group: 7,
      can_remove_members_group: 1,
    },
  )
})

test('linkifiers, profile fields and emoji are there', async () => {
  const { realm_linkifiers } = await server
    .as('admin')
    .watchWith({
      fetch_event_types: ['realm_linkifiers'],
      client_capabilities: { linkifier_url_template: true },
    })
    .then(({ state }) => state)
  assert.deepEqual(pick(realm_linkifiers, 'id', 'pattern', 'url_template'), [
    [1, '#D(?P<id>[0-9]{2,8})', 'https://github.com/zulip/zulip-desktop/pull/{id}'],
    [2, 'zulip-mobile#(?P<id>[0-9]{2,8})', 'https://github.com/zulip/zulip-mobile/pull/{id}'],
    [
      3,
      'zulip-(?P<repo>[a-zA-Z-_0-9]+)#(?P<id>[0-9]{2,8})',
      'https://github.com/zulip/{repo}/pull/{id}',
    ],
  ])
  const { custom_profile_fields } = await register(server, 'custom_profile_fields')
  assert.deepEqual(pick(custom_profile_fields, 'id', 'name', 'type'), [
    [1, 'Phone number', 1],
    [2, 'Biography', 2],
    [3, 'Favorite food', 1],
    [4, 'Favorite editor', 3],
    [5, 'Birthday', 4],
    [6, 'Favorite website', 5],
    [7, 'Mentor', 6],
    [8, 'GitHub username', 7],
    [9, 'Pronouns', 8],
  ])
  const { realm_emoji } = await register(server, 'realm_emoji')
  const [emoji] = Object.values(realm_emoji as Record<string, Row>)
  assert.deepEqual([emoji?.name, emoji?.author_id], ['green_tick', 11])
  const picture = await fetch(server.url + emoji?.source_url)
  assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/png'])
})

test('people press Enter to send and show their address to administrators', async () => {
  const { user_settings } = await register(server, 'user_settings', 'guest')
  const { enter_sends, email_address_visibility } = user_settings as Row
  assert.deepEqual([enter_sends, email_address_visibility], [true, 3])
  const realm = await register(server, 'realm')
  assert.deepEqual(
    [realm.realm_name, realm.realm_invite_required, realm.realm_enable_read_receipts],
    ['Zulip Dev', false, true],
  )
  assert.equal(realm.realm_new_stream_announcements_stream_id, 9)
  assert.equal(realm.realm_zulip_update_announcements_stream_id, 9)
})

describe('every start', () => {
  /** What differs between two servers that do the same: queues and where they listen. */
  const comparable = (from: TestServer, state: object) =>
    JSON.stringify(state)
      .replaceAll(from.url, '')
      .replace(/"queue_id":"[^"]*"/, '')

  const sentTimes = (of: TestServer) =>
    of.server.context.store.db.$client
      .prepare<[], number>('SELECT sent_at FROM messages ORDER BY id')
      .pluck()
      .all()

  test('is the same, with messages too', async () => {
    const [one, other] = await Promise.all([
      startServer({ fixture: { messages: 60 } }),
      startServer({ fixture: { messages: 60 } }),
    ])
    const params = { anchor: 'newest', num_before: 100, num_after: 0 }
    for (const actor of ['admin', 'guest', 'cordelia'] as const) {
      const states = await Promise.all([one, other].map((each) => each.as(actor).watch()))
      const [mine, theirs] = states
      assert.equal(comparable(one, mine?.state ?? {}), comparable(other, theirs?.state ?? {}))
      const [left, right] = await Promise.all(
        [one, other].map((each) => each.as(actor).get<{ messages: Row[] }>('/messages', params)),
      )
      assert.ok((left?.messages.length ?? 0) > 5)
      assert.deepEqual(left, right)
    }
    await Promise.all([one.close(), other.close()])
  })

  test('can be at another time, with messages from then on', async () => {
    const time = Date.UTC(2025, 5, 1)
    const earlier = await startServer({ fixture: { messages: 3, time } })
    const me = await earlier.as('admin').get('/users/me')
    assert.equal(me.date_joined, '2025-06-01T00:00:00+00:00')
    const offsets = sentTimes(earlier).map((sent) => sent - time / 1000)
    assert.deepEqual(offsets, [0, 30, 60])
    await earlier.close()
  })

  test('never has messages from the future', async () => {
    const now = fixtureTime + 24 * 3600 * 1000
    const today = await startServer({ fixture: { messages: 3, time: now } })
    const offsets = sentTimes(today).map((sent) => sent - now / 1000)
    assert.deepEqual(offsets, [-90, -60, -30])
    await today.close()
  })
})

describe('a reset', () => {
  for (const kind of ['memory', 'folder'] as const) {
    test(`undoes everything, in a ${kind}`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'parley-'))
      const own = await startServer(kind === 'folder' ? { data: folder } : {})
      const before = await register(own)
      const watch = await own.as('member').watch('message')
      await own.say('member', 'public')
      await own.as('member').post('/users/me/alert_words', { alert_words: ['castle'] })
      const reset = await fetch(`${own.url}/dev/reset`, { method: 'POST' })
      assert.deepEqual(await reset.json(), success)
      const { queue_id: _, server_timestamp: __, ...state } = before
      const { queue_id, server_timestamp, ...again } = await register(own)
      assert.deepEqual(again, state)
      const poll = await own.as('member').get('/events', {
        queue_id: watch.queueId,
        last_event_id: -1,
      })
      assert.deepEqual(
        poll,
        failure(`Bad event queue ID: ${watch.queueId}`, 'BAD_EVENT_QUEUE_ID', {
          queue_id: watch.queueId,
        }),
      )
      assert.equal(await own.say('member', 'public'), 1)
      await own.close()
      rmSync(folder, { recursive: true })
    })
  }

  test('lets no request fail that comes while it lasts', async () => {
    const own = await startServer()
    const reset = fetch(`${own.url}/dev/reset`, { method: 'POST' })
    const calls = await Promise.all(
      Array.from({ length: 8 }, () => own.as('admin').get('/users/me')),
    )
    for (const call of calls) assert.equal(call.result, 'success')
    assert.equal((await reset).status, 200)
    await own.close()
  })
})
