import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { success } from '#test/support/replies.ts'
import { type Actor, type CallParams, startServer } from '#test/support/server.ts'

const server = await startServer({ config: { emailChangers: ['desdemona@zulip.com'] } })
after(server.close)

interface Person {
  readonly user_id: number
  readonly [member: string]: unknown
}

const { ids } = server

const update = (actor: Actor, email: string, params: CallParams) =>
  server.as(actor).patch(`/users/${encodeURIComponent(email)}`, params)
const person = async (id: number, params: CallParams = {}) =>
  (await server.as('owner').get<{ user: Person }>(`/users/${id}`, params)).user

describe('Update a user by email', () => {
  test('a caller who may not see the real address must use the placeholder address', async () => {
    await server.as('cordelia').patch('/settings', { email_address_visibility: 4 })
    const byReal = await update('admin', 'cordelia@zulip.com', { full_name: 'Cordelia' })
    assert.equal(byReal.code, 'BAD_REQUEST')
    const byPlaceholder = await update('admin', `user${ids.cordelia}@zulipdev.com`, {
      full_name: 'Cordelia',
    })
    assert.deepEqual(byPlaceholder, success)
  })

  for (const role of [100, 200]) {
    test(`\`BAD_REQUEST\` for a guest given the role ${role}`, async () => {
      const reply = await update('owner', 'polonius@zulip.com', { role })
      assert.deepEqual([reply.result, reply.code], ['error', 'BAD_REQUEST'])
      assert.equal((await person(ids.guest)).role, 600)
    })
  }
})

const permissions = [
  'can_add_members_group',
  'can_join_group',
  'can_leave_group',
  'can_manage_group',
  'can_mention_group',
  'can_remove_members_group',
] as const

interface Group {
  readonly id: number
  readonly [member: string]: unknown
}

let groups = 0
const newGroup = (params: CallParams = {}) => {
  groups += 1
  const base = { name: `group ${groups}`, description: 'Some.', members: [ids.member] }
  return server
    .as('admin')
    .post<{ group_id: number; code?: string }>('/user_groups/create', { ...base, ...params })
}
const group = async (id: number) => {
  const { user_groups } = await server
    .as('admin')
    .get<{ user_groups: Group[] }>('/user_groups', { include_deactivated_groups: true })
  const found = user_groups.find((each) => each.id === id)
  assert.ok(found)
  return found
}
const changeGroup = (id: number, params: CallParams) =>
  server.as('admin').patch(`/user_groups/${id}`, params)

describe('Create a user group', () => {
  for (const name of ['name', 'description', 'members'] as const) {
    test(`\`${name}\` is required`, async () =>
      assert.equal((await newGroup({ [name]: undefined })).result, 'error'))
  }

  test('`subgroups` may be added regardless of other permissions', async () => {
    const { group_id: sub } = await newGroup({ can_manage_group: 1, can_add_members_group: 1 })
    const { group_id } = await newGroup({ subgroups: [sub] })
    assert.deepEqual((await group(group_id)).direct_subgroup_ids, [sub])
  })

  test('every permission may be a group or people with groups', async () => {
    for (const value of [4, { direct_members: [ids.member], direct_subgroups: [3] }]) {
      const asked = Object.fromEntries(permissions.map((name) => [name, value]))
      const { group_id } = await newGroup(asked)
      const made = await group(group_id)
      for (const name of permissions) assert.deepEqual(made[name], value, name)
    }
  })
})

describe('Update a user group', () => {
  const forbidden: [setting: (typeof permissions)[number], name: string][] = [
    ['can_manage_group', 'role:internet'],
    ['can_manage_group', 'role:everyone'],
    ['can_mention_group', 'role:internet'],
    ['can_mention_group', 'role:owners'],
  ]
  for (const [setting, name] of forbidden) {
    test(`\`${setting}\` cannot become \`${name}\``, async () => {
      const { user_groups } = await server.as('admin').get<{ user_groups: Group[] }>('/user_groups')
      const system = user_groups.find((each) => each.name === name)
      assert.ok(system)
      const { group_id } = await newGroup()
      const reply = await changeGroup(group_id, { [setting]: { new: system.id } })
      assert.equal(reply.result, 'error')
    })
  }

  test('`can_mention_group` accepts only the update object form', async () => {
    const { group_id } = await newGroup()
    assert.equal((await changeGroup(group_id, { can_mention_group: 4 })).result, 'error')
  })
})

describe('Create a custom profile field', () => {
  const create = (actor: Actor, params: CallParams) =>
    server.as(actor).post('/realm/profile_fields', params)

  test('users may still lack a `required` value', async () => {
    const { id, result } = await create('admin', { name: 'Needed', field_type: 1, required: true })
    assert.equal(result, 'success')
    const { profile_data } = await person(ids.member, { include_custom_profile_fields: true })
    assert.ok(!(String(id) in (profile_data as object)))
  })
})

describe('Create a reusable invitation link', () => {
  const invite = (actor: Actor, params: CallParams = {}) =>
    server.as(actor).post<{ invite_link: string; code?: string }>('/invites/multiuse', params)

  test('default channels may be included by a caller who may not subscribe others', async () => {
    await server.as('owner').patch('/realm', {
      create_multiuse_invite_group: { new: 5 },
      can_add_subscribers_group: { new: 1 },
    })
    const asked = { include_realm_default_subscriptions: true }
    assert.equal((await invite('cordelia', asked)).result, 'success')
  })
})
