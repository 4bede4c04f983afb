import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { consequence, type Privacy, privacies } from '#client/settings/channels/privacy.ts'
import { isUsed, usesOf } from '#client/settings/groups/uses.ts'
import { findByAddresses, looksLikeAddresses } from '#client/settings/ui/addresses.ts'
import type { Channel, Group, User } from '#client/state/model.ts'
import type { Store } from '#client/state/store.ts'
import { Table } from '#client/state/table.ts'

describe('pasted addresses', () => {
  const user = (id: number, deliveryEmail: string | null, isActive = true) =>
    ({ id, email: `user${id}@example.com`, deliveryEmail, isActive }) as User
  const users = [
    user(1, 'Ada@example.com'),
    user(2, null),
    user(3, 'bob@example.com'),
    user(4, 'gone@example.com', false),
  ]

  test('are told from names', () => {
    const table: readonly (readonly [string, boolean])[] = [
      ['ada@example.com', true],
      ['Ada <ada@example.com>, bob@example.com', true],
      ['ada@example.com\nbob@example.com', true],
      ['ada@example.com bob@example.com', true],
      ['Ada Lovelace', false],
      ['ada@example.com and Bob', false],
      ['@designers', false],
      ['', false],
    ]
    for (const [text, expected] of table) assert.equal(looksLikeAddresses(text), expected, text)
  })

  test('name active people once each, by any address that the user may know', () => {
    const text = 'Ada <ADA@example.com>; user2@example.com\nbob@example.com,bob@example.com'
    assert.deepEqual(findByAddresses(text, users), { ids: [1, 2, 3], unknown: [] })
  })

  test('that nobody has are named', () => {
    const found = findByAddresses('ada@example.com, gone@example.com, eve@example.com', users)
    assert.deepEqual(found, { ids: [1], unknown: ['gone@example.com', 'eve@example.com'] })
  })
})

describe('a change of privacy', () => {
  const kinds = Object.keys(privacies) as Privacy[]
  test('says what it reveals or hides, unless it is none', () => {
    for (const from of kinds) {
      for (const to of kinds) {
        assert.equal(consequence(from, to) === undefined, from === to, `${from} to ${to}`)
      }
    }
  })

  test('says so wherever old messages become readable', () => {
    const opening: readonly (readonly [Privacy, Privacy])[] = [
      ['protected', 'shared'],
      ['protected', 'public'],
      ['shared', 'public'],
      ['public', 'web-public'],
      ['shared', 'web-public'],
    ]
    for (const [from, to] of opening) {
      assert.match(consequence(from, to) ?? '', /every message/, `${from} ${to}`)
    }
  })
})

describe('the uses of a group', () => {
  const group = (id: number, more: Partial<Group> = {}) =>
    [
      id,
      { id, isDeactivated: false, subgroupIds: new Set(), permissions: {}, ...more } as Group,
    ] as const
  const realm = {
    server_supported_permission_settings: { realm: { can_create_groups: {}, can_invite: {} } },
    realm_can_create_groups: 7,
    realm_can_invite: { direct_members: [7], direct_subgroups: [8] },
  }
  const store = {
    realm: { value: realm },
    channels: new Table([
      [
        1,
        {
          id: 1,
          permissions: { can_send_message_group: { members: [], subgroups: [7] } },
        } as unknown as Channel,
      ],
      [2, { id: 2, permissions: { can_send_message_group: 8 } } as unknown as Channel],
    ]),
    groups: new Table([
      group(7, { permissions: { can_join_group: 7 } }),
      group(8, { permissions: { can_join_group: 7, can_leave_group: 8 } }),
      group(9, { subgroupIds: new Set([7]) }),
      group(10, { subgroupIds: new Set([7]), isDeactivated: true }),
    ]),
  } as unknown as Store

  test('are permissions of organization, channels and other groups, and active groups around it', () => {
    assert.deepEqual(usesOf(7, store), {
      realm: ['can_create_groups'],
      channels: [{ id: 1, permissions: ['can_send_message_group'] }],
      groups: [{ id: 8, permissions: ['can_join_group'] }],
      supergroups: [9],
    })
  })

  test('are none where nothing names it', () => {
    assert.ok(isUsed(usesOf(7, store)))
    assert.ok(!isUsed(usesOf(9, store)))
  })
})
