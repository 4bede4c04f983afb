import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { failure, success } from '#test/support/replies.ts'
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
const roleOf = async (id: number) => (await person(id)).role

describe('Update a user by email', () => {
  test('`full_name` is changed', async () => {
    assert.deepEqual(await update('admin', 'othello@zulip.com', { full_name: 'Othello' }), success)
    assert.equal((await person(ids.othello)).full_name, 'Othello')
  })

  for (const actor of ['moderator', 'member', 'guest'] as const) {
    test(`organization administrators only: not the ${actor}`, async () => {
      const reply = await update(actor, `user${ids.othello}@zulipdev.com`, { full_name: 'Moor' })
      assert.equal(reply.result, 'error')
      assert.equal((await person(ids.othello)).full_name, 'Othello')
    })
  }

  test('a caller who may not see the real address must use the placeholder address', async () => {
    await server.as('cordelia').patch('/settings', { email_address_visibility: 4 })
    const byReal = await update('admin', 'cordelia@zulip.com', { full_name: 'Cordelia' })
    assert.equal(byReal.code, 'BAD_REQUEST')
    const byPlaceholder = await update('admin', `user${ids.cordelia}@zulipdev.com`, {
      full_name: 'Cordelia',
    })
    assert.deepEqual(byPlaceholder, success)
  })

  for (const role of [300, 600, 400, 200]) {
    test(`\`role\` may be ${role}`, async () => {
      assert.deepEqual(await update('admin', 'othello@zulip.com', { role }), success)
      assert.equal(await roleOf(ids.othello), role)
    })
  }

  for (const role of [0, 101, 500, 700]) {
    test(`\`role\` is not ${role}`, async () => {
      const reply = await update('admin', 'othello@zulip.com', { role })
      assert.deepEqual([reply.result, reply.code], ['error', 'BAD_REQUEST'])
    })
  }

  test('only owners may add or remove the owner role', async () => {
    assert.equal((await update('admin', 'othello@zulip.com', { role: 100 })).result, 'error')
    assert.deepEqual(await update('owner', 'othello@zulip.com', { role: 100 }), success)
    assert.equal((await update('admin', 'othello@zulip.com', { role: 400 })).result, 'error')
    assert.deepEqual(await update('owner', 'othello@zulip.com', { role: 400 }), success)
  })

  test('the owner role cannot be removed from the only owner', async () => {
    const reply = await update('owner', 'desdemona@zulip.com', { role: 400 })
    assert.deepEqual([reply.result, reply.code], ['error', 'BAD_REQUEST'])
    assert.equal(await roleOf(ids.owner), 100)
  })

  test('`profile_data` is an array of objects with `id` and `value`', async () => {
    const profile_data = [{ id: 3, value: 'Oysters' }]
    assert.deepEqual(await update('admin', 'othello@zulip.com', { profile_data }), success)
    const { profile_data: now } = await person(ids.othello, { include_custom_profile_fields: true })
    assert.equal((now as Record<string, { value: string }>)[3]?.value, 'Oysters')
    for (const wrong of [[{ value: 'x' }], { id: 3, value: 'x' }]) {
      assert.equal(
        (await update('admin', 'othello@zulip.com', { profile_data: wrong })).result,
        'error',
      )
    }
  })

  test('`new_email` requires an owner who holds `can_change_user_emails`', async () => {
    const params = { new_email: 'moor@zulip.com' }
    assert.equal((await update('admin', 'othello@zulip.com', params)).result, 'error')
    assert.equal((await person(ids.othello)).delivery_email, 'othello@zulip.com')
    assert.deepEqual(await update('owner', 'othello@zulip.com', params), success)
    assert.equal((await person(ids.othello)).delivery_email, 'moor@zulip.com')
  })

  test('an owner without that permission may not change it', async () => {
    await update('owner', 'iago@zulip.com', { role: 100 })
    const reply = await update('admin', 'moor@zulip.com', { new_email: 'x@zulip.com' })
    await update('owner', 'iago@zulip.com', { role: 200 })
    assert.equal(reply.result, 'error')
  })

  for (const role of [100, 200]) {
    test(`\`BAD_REQUEST\` for a guest given the role ${role}`, async () => {
      const reply = await update('owner', 'polonius@zulip.com', { role })
      assert.deepEqual([reply.result, reply.code], ['error', 'BAD_REQUEST'])
      assert.equal((await person(ids.guest)).role, 600)
    })
  }

  test('`BAD_REQUEST` for an unknown user', async () => {
    const reply = await update('admin', 'nobody@zulip.com', { full_name: 'Nobody' })
    assert.deepEqual([reply.result, reply.code], ['error', 'BAD_REQUEST'])
  })
})

describe('Get a user', () => {
  test('`include_custom_profile_fields` is false by default', async () => {
    assert.ok(!('profile_data' in (await person(ids.admin))))
  })

  test('`user_id` is an integer', async () => {
    assert.equal((await server.as('member').get('/users/hamlet')).result, 'error')
  })
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
  test('`group_id` is the new group', async () => {
    const { group_id } = await newGroup({ name: 'readers', description: 'Who read.' })
    const { name, description, members } = await group(group_id)
    assert.deepEqual([name, description, members], ['readers', 'Who read.', [ids.member]])
  })

  for (const name of ['name', 'description', 'members'] as const) {
    test(`\`${name}\` is required`, async () =>
      assert.equal((await newGroup({ [name]: undefined })).result, 'error'))
  }

  test('`subgroups` may be added regardless of other permissions', async () => {
    const { group_id: sub } = await newGroup({ can_manage_group: 1, can_add_members_group: 1 })
    const { group_id } = await newGroup({ subgroups: [sub] })
    assert.deepEqual((await group(group_id)).direct_subgroup_ids, [sub])
  })

  for (const name of permissions) {
    for (const value of [4, { direct_members: [ids.member], direct_subgroups: [3] }]) {
      test(`\`${name}\` may be ${JSON.stringify(value)}`, async () => {
        const { group_id, msg } = await newGroup({ [name]: value })
        assert.equal(msg, '')
        assert.deepEqual((await group(group_id))[name], value)
      })
    }
  }

  const forbidden: [setting: (typeof permissions)[number], name: string][] = [
    ['can_manage_group', 'role:internet'],
    ['can_manage_group', 'role:everyone'],
    ['can_mention_group', 'role:internet'],
    ['can_mention_group', 'role:owners'],
  ]
  for (const [setting, name] of forbidden) {
    test(`\`${setting}\` cannot be set to \`${name}\`, at creation or later`, async () => {
      const { user_groups } = await server.as('admin').get<{ user_groups: Group[] }>('/user_groups')
      const system = user_groups.find((each) => each.name === name)
      assert.ok(system)
      assert.equal((await newGroup({ [setting]: system.id })).result, 'error')
      const { group_id } = await newGroup()
      const reply = await changeGroup(group_id, { [setting]: { new: system.id } })
      assert.equal(reply.result, 'error')
    })
  }

  test('`BAD_REQUEST` for an unknown user ID', async () => {
    assert.equal((await newGroup({ members: [9999] })).code, 'BAD_REQUEST')
  })
})

describe('Update a user group', () => {
  test('`name` and `description` are optional, and changed', async () => {
    const { group_id } = await newGroup()
    assert.deepEqual(await changeGroup(group_id, { name: 'writers' }), success)
    assert.deepEqual(await changeGroup(group_id, { description: 'Who write.' }), success)
    const { name, description } = await group(group_id)
    assert.deepEqual([name, description], ['writers', 'Who write.'])
  })

  for (const name of permissions) {
    test(`\`${name}\` is an update with \`new\` required and \`old\` checked`, async () => {
      const { group_id } = await newGroup({ [name]: 4 })
      assert.equal((await changeGroup(group_id, { [name]: { new: 3, old: 5 } })).result, 'error')
      assert.equal((await changeGroup(group_id, { [name]: { old: 4 } })).result, 'error')
      assert.equal((await group(group_id))[name], 4)
      assert.deepEqual(await changeGroup(group_id, { [name]: { new: 3, old: 4 } }), success)
      assert.equal((await group(group_id))[name], 3)
    })
  }

  test('`can_mention_group` accepts only the update object form', async () => {
    const { group_id } = await newGroup()
    assert.equal((await changeGroup(group_id, { can_mention_group: 4 })).result, 'error')
  })

  test('`deactivated` false reactivates, true does nothing', async () => {
    const { group_id } = await newGroup()
    await changeGroup(group_id, { deactivated: true })
    assert.equal((await group(group_id)).deactivated, false)
    const path = `/user_groups/${group_id}/deactivate`
    assert.deepEqual(await server.as('admin').post(path), success)
    assert.equal((await group(group_id)).deactivated, true)
    assert.deepEqual(await changeGroup(group_id, { deactivated: false }), success)
    assert.equal((await group(group_id)).deactivated, false)
  })

  test('while deactivated it can be modified, but neither used in a permission value nor mentioned (States)', async () => {
    const { group_id } = await newGroup({ name: 'asleep' })
    await server.as('admin').post(`/user_groups/${group_id}/deactivate`)
    assert.deepEqual(await changeGroup(group_id, { description: 'Sleeps.' }), success)
    const used = await server
      .as('admin')
      .patch('/streams/4', { can_send_message_group: { new: group_id } })
    assert.equal(used.result, 'error')
    const { rendered } = await server.as('admin').post('/messages/render', { content: '@*asleep*' })
    assert.match(String(rendered), /class="user-group-mention silent"/)
  })

  test('`BAD_REQUEST` for an invalid group', async () => {
    const reply = await changeGroup(9999, { name: 'none' })
    assert.deepEqual([reply.result, reply.code], ['error', 'BAD_REQUEST'])
  })
})

describe('Create a custom profile field', () => {
  const create = (actor: Actor, params: CallParams) =>
    server.as(actor).post('/realm/profile_fields', params)

  for (const actor of ['moderator', 'member', 'guest'] as const) {
    test(`organization administrators only: not the ${actor}`, async () =>
      assert.equal((await create(actor, { name: 'Pet', field_type: 1 })).result, 'error'))
  }

  test('`field_type` is required, the response is `id`', async () => {
    assert.equal((await create('admin', { name: 'Pet' })).result, 'error')
    const { id } = await create('admin', { name: 'Pet', field_type: 1 })
    assert.ok(Number.isSafeInteger(id))
  })

  test('`field_data` of type 3 maps an option key to `text` and `order`, a string', async () => {
    const make = (name: string, field_data: object) =>
      create('admin', { name, field_type: 3, field_data })
    const option = { text: 'Cat', order: '1' }
    assert.equal((await make('Cats', { a: option })).result, 'success')
    assert.equal((await make('Dogs', { a: { ...option, order: 1 } })).result, 'error')
    assert.equal((await make('Birds', { a: { text: 'Bird' } })).result, 'error')
  })

  test('at most 2 fields per organization are displayed in the profile summary', async () => {
    const shown = (name: string) =>
      create('admin', { name, field_type: 1, display_in_profile_summary: true })
    const { custom_fields } = await server
      .as('admin')
      .get<{ custom_fields: { display_in_profile_summary?: boolean }[] }>('/realm/profile_fields')
    const already = custom_fields.filter((field) => field.display_in_profile_summary).length
    for (let i = already; i < 2; i++) {
      assert.equal((await shown(`Shown ${i}`)).result, 'success')
    }
    assert.equal((await shown('One too many')).code, 'BAD_REQUEST')
  })

  for (const [type, title] of [
    [2, 'long text'],
    [6, 'person picker'],
  ] as const) {
    test(`a ${title} field cannot be displayed in the profile summary`, async () => {
      const params = { name: `A ${title}`, field_type: type, display_in_profile_summary: true }
      assert.equal((await create('admin', params)).result, 'error')
    })
  }

  test('administrators can edit any value, whatever `editable_by_user` says', async () => {
    const { id } = await create('admin', { name: 'Badge', field_type: 1, editable_by_user: false })
    const own = await server
      .as('member')
      .patch('/users/me/profile_data', { data: [{ id, value: 'me' }] })
    assert.equal(own.result, 'error')
    const profile_data = [{ id, value: 'them' }]
    assert.deepEqual(await update('admin', 'hamlet@zulip.com', { profile_data }), success)
  })

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

  interface Invitation {
    readonly link_url?: string
    readonly expiry_date: number | null
    readonly invited_as: number
    readonly [member: string]: unknown
  }
  const listed = async (link: string) => {
    const { invites } = await server.as('owner').get<{ invites: Invitation[] }>('/invites')
    const found = invites.find(({ link_url }) => link_url === link)
    assert.ok(found)
    return found
  }

  test('`invite_link` is a URL; by default it is for members and valid for 14400 minutes', async () => {
    const { invite_link } = await invite('admin')
    assert.ok(URL.canParse(invite_link))
    const { expiry_date, invited_as } = await listed(invite_link)
    const now = Math.floor(server.clock.now() / 1000)
    assert.deepEqual([expiry_date, invited_as], [now + 14_400 * 60, 400])
  })

  test('`invite_expires_in_minutes` null means never', async () => {
    const { invite_link } = await invite('admin', { invite_expires_in_minutes: null })
    assert.equal((await listed(invite_link)).expiry_date, null)
  })

  const roleRules: [Actor, role: number, allowed: boolean][] = [
    ['owner', 100, true],
    ['admin', 100, false],
    ['admin', 200, true],
    ['admin', 300, true],
    ['admin', 600, true],
  ]
  for (const [actor, role, allowed] of roleRules) {
    test(`the ${actor} may ${allowed ? '' : 'not '}invite as ${role}`, async () => {
      const reply = await invite(actor, { invite_as: role })
      assert.equal(reply.result, allowed ? 'success' : 'error', reply.msg)
    })
  }

  test('`invite_as` is one of the five roles', async () => {
    for (const role of [0, 150, 500]) {
      assert.equal((await invite('owner', { invite_as: role })).result, 'error')
    }
  })

  test('`BAD_REQUEST` if the caller lacks permission to invite', async () => {
    const reply = await invite('guest')
    assert.deepEqual([reply.result, reply.code], ['error', 'BAD_REQUEST'])
  })

  for (const id of [9999, 8]) {
    test(`\`BAD_REQUEST\` if channel ${id} does not exist or is not accessible`, async () => {
      await server.as('owner').patch('/realm', {
        create_multiuse_invite_group: { new: 5 },
        can_invite_users_group: { new: 5 },
      })
      const reply = await invite('cordelia', { stream_ids: [id] })
      assert.deepEqual([reply.result, reply.code], ['error', 'BAD_REQUEST'])
    })
  }

  test('`stream_ids` must be empty if the caller may create links but may not subscribe others, who may include the defaults', async () => {
    await server.as('owner').patch('/realm', {
      create_multiuse_invite_group: { new: 5 },
      can_add_subscribers_group: { new: 1 },
    })
    assert.equal((await invite('cordelia', { stream_ids: [4] })).code, 'BAD_REQUEST')
    const asked = { include_realm_default_subscriptions: true }
    assert.equal((await invite('cordelia', asked)).result, 'success')
  })

  test('`group_ids`: the caller must be allowed to add users to those groups', async () => {
    const { group_id } = await newGroup({ can_add_members_group: 3, can_manage_group: 3 })
    assert.equal((await invite('cordelia', { group_ids: [group_id] })).code, 'BAD_REQUEST')
    assert.equal((await invite('admin', { group_ids: [group_id] })).result, 'success')
  })

  test('`welcome_message_custom_text` has at most 8000 characters', async () => {
    const text = (length: number) => ({ welcome_message_custom_text: 'w'.repeat(length) })
    assert.equal((await invite('admin', text(8000))).result, 'success')
    assert.equal((await invite('admin', text(8001))).code, 'BAD_REQUEST')
  })
})

describe('Update the navigation view', () => {
  test('`fragment` may contain slashes; `is_pinned` and `name` are optional', async () => {
    const member = server.as('member')
    const fragment = 'narrow/channel/4-Denmark'
    await member.post('/navigation_views', { fragment, is_pinned: true, name: 'Danes' })
    const path = `/navigation_views/${fragment}`
    assert.deepEqual(await member.patch(path, { is_pinned: false }), success)
    assert.deepEqual(await member.patch(path, { name: 'The Danes' }), success)
    const { navigation_views } = await member.get('/navigation_views')
    assert.deepEqual(navigation_views, [{ fragment, is_pinned: false, name: 'The Danes' }])
  })

  test('`BAD_REQUEST` for a custom name on a built-in view', async () => {
    const member = server.as('member')
    await member.post('/navigation_views', { fragment: 'inbox', is_pinned: true })
    const reply = await member.patch('/navigation_views/inbox', { name: 'Mine' })
    assert.deepEqual([reply.result, reply.code], ['error', 'BAD_REQUEST'])
  })

  test('`NOT_FOUND` when no view has that fragment', async () => {
    const reply = await server
      .as('member')
      .patch('/navigation_views/narrow/none', { is_pinned: true })
    assert.deepEqual(reply, failure(reply.msg, 'NOT_FOUND'))
  })
})
