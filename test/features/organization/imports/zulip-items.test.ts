import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { itemsOf } from '#test/support/exports/items.ts'

const status = (version: unknown) =>
  JSON.stringify({ migrations_by_app: {}, zulip_version: version })
const json = JSON.stringify

/** An export with one channel and three people. */
const files = {
  'migration_status.json': status('11.4'),
  'realm.json': json({
    import_source: 'zulip',
    zerver_recipient: [
      { id: 21, type: 2, type_id: 7 },
      { id: 22, type: 1, type_id: 31 },
      { id: 23, type: 3, type_id: 1 },
    ],
    zerver_userprofile: [
      {
        id: 30,
        delivery_email: 'A@example.com',
        email: 'user30@z',
        full_name: 'Ann',
        role: 100,
        date_joined: 5.5,
      },
      { id: 31, email: 'b@example.com', full_name: 'Bob', is_active: false },
      {
        id: 32,
        email: 'bot@example.com',
        full_name: 'Bot',
        is_bot: true,
        bot_type: 3,
        bot_owner: 30,
      },
      { id: 'x' },
    ],
    zerver_userprofile_mirrordummy: [{ id: 33, delivery_email: 'c@example.com', full_name: 'Cy' }],
    zerver_userprofile_crossrealm: [
      { id: 6, email: 'notification-bot@zulip.com', recipient_id: null },
    ],
    zerver_stream: [{ id: 7, name: 'général', invite_only: true, topics_policy: 3 }],
    zerver_defaultstream: [{ id: 1, stream: 7 }],
    zerver_subscription: [
      { id: 1, user_profile: 30, recipient: 21, color: '#76ce90', is_muted: true },
      { id: 2, user_profile: 30, recipient: 23 },
      { id: 3, user_profile: 31, recipient: 23 },
      { id: 4, user_profile: 31, recipient: 99 },
    ],
    zerver_client: [{ id: 2, name: 'website' }],
  }),
  'messages-000002.json': json({
    zerver_message: [
      { id: 12, sender: 30, recipient: 23, subject: '\u0007', content: 'all', date_sent: 12 },
    ],
    zerver_usermessage: [],
  }),
  'messages-000001.json': json({
    zerver_message: [
      {
        id: 10,
        sender: 30,
        recipient: 21,
        subject: 'plans',
        content: 'hi',
        date_sent: 10.25,
        sending_client: 2,
      },
      { id: 11, sender: 30, recipient: 22, subject: '\u0007', content: 'psst', date_sent: 11 },
      { id: 13, sender: 30, recipient: 404, content: 'lost', date_sent: 11 },
    ],
    zerver_usermessage: [
      { id: 1, user_profile: 30, message: 10, flags_mask: 1 },
      { id: 2, user_profile: 31, message: 10, flags_mask: 2 + 4 + 64 + 512 },
    ],
  }),
}

test("an export of Zulip is recognized, and becomes items with Zulip's IDs", async () => {
  const { items, report, source } = await itemsOf(files)
  assert.equal(source, 'zulip')
  const of = (type: string) => items.filter((item) => item.type === type)
  const people = of('person') as { key: string; role: string; isActive: boolean; email: string }[]
  assert.deepEqual(
    people.map(({ email, isActive, key, role }) => [key, email, role, isActive]),
    [
      ['6', 'notification-bot@zulip.com', 'member', true],
      ['30', 'A@example.com', 'owner', true],
      ['31', 'b@example.com', 'member', false],
      ['32', 'bot@example.com', 'member', true],
      ['33', 'c@example.com', 'member', false],
    ],
  )
  const [channel] = of('channel') as {
    name: string
    isDefault: boolean
    hasPublicHistory: boolean
  }[]
  assert.deepEqual(
    [channel?.name, channel?.isDefault, channel?.hasPublicHistory],
    ['général', true, false],
  )
  const messages = of('message') as { id: number; place: object; client?: string }[]
  assert.deepEqual(
    messages.map(({ client, id, place }) => [id, place, client]),
    [
      [10, { channel: '7', topic: 'plans' }, 'website'],
      [11, { conversation: '30,31' }, undefined],
      [12, { conversation: '30,31' }, undefined],
    ],
  )
  assert.deepEqual(of('conversation'), [
    { type: 'conversation', key: '30,31', members: ['30', '31'] },
  ])
  const flags = { isUnread: true, isStarred: true, isCollapsed: true, isMentioned: true }
  assert.deepEqual(of('flags'), [
    {
      type: 'flags',
      message: '10',
      person: '31',
      ...flags,
      hasTopicWildcard: false,
      hasAlertWord: true,
    },
  ])
  assert.deepEqual(report.people?.skipped['bad-value'], {
    count: 1,
    examples: ['zerver_userprofile: id'],
  })
  assert.equal(report.messages?.skipped.absent?.count, 1)
  assert.equal(report.subscriptions?.skipped.absent?.count, 1)
})

test('people who did not consent to the export are active again if asked for', async () => {
  const { items } = await itemsOf(files, { activate: true })
  const dummy = items.find((item) => item.type === 'person' && item.key === '33')
  assert.deepEqual(dummy?.type === 'person' && dummy.isActive, true)
})

describe('an export of a version of Zulip', () => {
  const cases: readonly [unknown, RegExp | undefined][] = [
    ['10.0', undefined],
    ['12.2', undefined],
    ['13.0-dev+git', undefined],
    ['9.4', /Upgrade Zulip to 10.0 or later first/],
    ['14.0', /newer than what this version/],
    [12, /does not say which version/],
    ['', /does not say which version/],
  ]
  for (const [version, refusal] of cases) {
    test(`${json(version)} ${refusal ? 'is refused' : 'is taken'}`, async () => {
      const reading = itemsOf({ ...files, 'migration_status.json': status(version) })
      if (refusal) await assert.rejects(reading, refusal)
      else await reading
    })
  }
})

describe('an export of Zulip that is older than the file of its version', () => {
  const { 'migration_status.json': _, ...unversioned } = files
  const tables = JSON.parse(files['realm.json'])
  const withRealm = (more: object) => ({
    ...unversioned,
    'realm.json': json({ ...tables, ...more, zerver_realm: [{ id: 2, name: 'Old Chat' }] }),
  })

  test('is recognized by its table of the organization, wherever that is in the file', async () => {
    const { zerver_userprofile, ...others } = tables
    const orders = [
      withRealm({}),
      { ...unversioned, 'realm.json': json({ zerver_realm: [], ...others, zerver_userprofile }) },
    ]
    for (const each of orders) {
      const { items, report, source } = await itemsOf(each)
      assert.equal(source, 'zulip')
      assert.equal(items.filter(({ type }) => type === 'message').length, 3)
      assert.deepEqual(report.other?.changed['older-version'], { count: 1, examples: [] })
    }
  })

  test('is refused if its people have no roles yet, with the version to upgrade to', async () => {
    const people = (tables.zerver_userprofile as { role?: number }[]).map(
      ({ role: _, ...row }) => ({ ...row, is_realm_admin: true }),
    )
    await assert.rejects(
      itemsOf(withRealm({ zerver_userprofile: people })),
      /too old. Upgrade Zulip to 10.0 or later first/,
    )
  })

  test('has the names of groups in the table of all groups', async () => {
    const { items } = await itemsOf(
      withRealm({
        zerver_usergroup: [
          { id: 50, realm: 2, name: 'role:members', description: '', is_system_group: true },
          { id: 51, realm: 2, name: 'crew', description: 'All', is_system_group: false },
        ],
        zerver_usergroupmembership: [{ id: 1, user_group: 51, user_profile: 31 }],
      }),
    )
    const groups = items.filter((item) => item.type === 'group')
    assert.deepEqual(
      groups.map(({ description, id, members, name, system }) => [
        id,
        name,
        system,
        description,
        members,
      ]),
      [
        [undefined, 'role:members', 'role:members', undefined, undefined],
        [51, 'crew', undefined, 'All', ['31']],
      ],
    )
  })

  test('has system groups by their names, with an @ before them or without', async () => {
    const row = { realm: 2, description: '' }
    const { items } = await itemsOf(
      withRealm({
        zerver_usergroup: [
          { ...row, id: 50, name: '@role:members', is_system_group: true },
          { ...row, id: 51, name: 'role:owners' },
          { ...row, id: 52, name: 'role:of ours' },
        ],
        zerver_namedusergroup: [],
      }),
    )
    const groups = items.flatMap((item) => (item.type === 'group' ? [[item.key, item.system]] : []))
    const expected = [
      ['50', 'role:members'],
      ['51', 'role:owners'],
      ['52', undefined],
    ]
    assert.deepEqual(groups, expected)
  })

  test('is no export of Zulip without that table', async () => {
    const reading = itemsOf({ ...unversioned, 'realm.json': json({ realms: [{ id: 2 }] }) })
    await assert.rejects(reading, /does not look like an export of .*Zulip/)
  })
})

test('what is no export is refused, and so is an unknown format', async () => {
  await assert.rejects(itemsOf({ 'a.txt': 'x' }), /does not look like an export of .*Zulip/)
  await assert.rejects(itemsOf(files, {}, 'icq'), /There is no format "icq"/)
})
