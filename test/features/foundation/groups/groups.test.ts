import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createUser } from '#features/access/accounts/actions.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type CallParams, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { ids } = server
let made = 0

const create = (actor: Actor, params: CallParams = {}) =>
  server.as(actor).post<{ group_id: number }>('/user_groups/create', {
    name: `group ${made++}`,
    description: 'People',
    members: [ids.member],
    ...params,
  })
async function newGroup(actor: Actor = 'member', params: CallParams = {}): Promise<number> {
  const reply = await create(actor, params)
  assert.equal(reply.result, 'success', reply.msg)
  return reply.group_id
}
const edit = (actor: Actor, id: number, params: CallParams) =>
  server.as(actor).patch(`/user_groups/${id}`, params)
const members = async (id: number) =>
  (await server.as('member').get<{ members: number[] }>(`/user_groups/${id}/members`)).members
const groupOf = async (id: number, params: CallParams = {}) => {
  const { user_groups } = await server
    .as('member')
    .get<{ user_groups: ({ id: number } & Record<string, unknown>)[] }>('/user_groups', params)
  return user_groups.find((group) => group.id === id)
}

/** Ids of system groups, in the order of the fixture. */
const system = {
  nobody: 1,
  owners: 2,
  administrators: 3,
  moderators: 4,
  members: 6,
  everyone: 7,
  internet: 8,
}
const noPermission = failure('Insufficient permission')
const unknownGroup = failure('Invalid user group')

describe('creating a group', () => {
  test('tells everyone, with its defaults', async () => {
    const queue = await server.as('guest').watch('user_group')
    const id = await newGroup('member', { name: 'players', members: [ids.cordelia, ids.member] })
    const own = { direct_members: [ids.member], direct_subgroups: [] }
    const group = {
      id,
      name: 'players',
      description: 'People',
      members: [ids.cordelia, ids.member],
      direct_subgroup_ids: [],
      is_system_group: false,
      creator_id: ids.member,
      date_created: Math.floor(server.clock.now() / 1000),
      deactivated: false,
      can_add_members_group: own,
      can_join_group: system.nobody,
      can_leave_group: system.everyone,
      can_manage_group: own,
      can_mention_group: system.everyone,
      can_remove_members_group: system.nobody,
    }
    assert.deepEqual(await queue.drain(), [{ type: 'user_group', op: 'add', group }])
    assert.deepEqual(await groupOf(id), group)
  })

  // biome-ignore format: a matrix reads best in columns
  const matrix: [Actor, boolean][] = [
    ['owner', true], ['admin', true], ['moderator', true], ['member', true], ['guest', false],
  ]
  for (const [actor, allowed] of matrix) {
    test(`${actor} ${allowed ? 'can' : 'cannot'} create one`, async () => {
      const reply = await create(actor)
      assert.deepEqual(reply, allowed ? { ...success, group_id: reply.group_id } : noPermission)
    })
  }

  const forbidden = (setting: string, group: string) =>
    failure(`'${setting}' setting cannot be set to 'role:${group}' group.`)
  // biome-ignore format: a table reads best in columns
  const table: [string, CallParams, object][] = [
    ['an empty name',         { name: ' ' },                       failure("User group name can't be empty!")],
    ['a name too long',       { name: 'x'.repeat(101) },           failure('User group name cannot exceed 100 characters.')],
    ['a name like Role',      { name: 'Role:kings' },              failure("User group name cannot start with '@', 'role:', 'user:' or 'channel:'.")],
    ['a name like a role',    { name: 'role:kings' },              failure("User group name cannot start with '@', 'role:', 'user:' or 'channel:'.")],
    ['a taken name',          { name: 'HamletCharacters' },        failure("User group 'HamletCharacters' already exists.")],
    ['an unknown member',     { members: [9999] },                 failure('Invalid user ID: 9999')],
    ['a system bot',          { members: [4] },                    failure('Invalid user ID: 4')],
    ['an unknown subgroup',   { subgroups: [9999] },               failure('Invalid user group ID: 9999')],
    ['managing by everyone',  { can_manage_group: system.everyone }, forbidden('can_manage_group', 'everyone')],
    ['managing by internet',  { can_manage_group: system.internet }, forbidden('can_manage_group', 'internet')],
    ['mention by owners',     { can_mention_group: system.owners }, forbidden('can_mention_group', 'owners')],
    ['mention by internet',   { can_mention_group: system.internet }, forbidden('can_mention_group', 'internet')],
    ['an unknown group',      { can_join_group: 9999 },            unknownGroup],
    ['a name for a group',    { can_join_group: 'members' },       failure('Argument "can_join_group" is not valid JSON.')],
  ]
  for (const [what, params, expected] of table) {
    test(`${what} is refused, and nobody hears of it`, async () => {
      const queue = await server.as('member').watch('user_group')
      assert.deepEqual(await create('member', params), expected)
      assert.deepEqual(await queue.drain(), [])
    })
  }
})

describe('changing a group', () => {
  test('tells what changed', async () => {
    const id = await newGroup()
    const queue = await server.as('guest').watch('user_group')
    const changes = {
      name: `renamed ${id}`,
      description: 'Others',
      can_join_group: { new: system.members },
    }
    assert.deepEqual(await edit('member', id, changes), success)
    const data = { name: `renamed ${id}`, description: 'Others', can_join_group: system.members }
    assert.deepEqual(await queue.drain(), [
      { type: 'user_group', op: 'update', group_id: id, data },
    ])
    assert.deepEqual(await edit('member', id, { name: `renamed ${id}` }), success)
    assert.deepEqual(await queue.drain(), [])
  })

  test('compares a setting with what the client believes it to be', async () => {
    const id = await newGroup()
    const wrong = { can_leave_group: { new: system.members, old: system.nobody } }
    const mismatch = failure(
      "'old' value does not match the expected value.",
      'EXPECTATION_MISMATCH',
    )
    assert.deepEqual(await edit('member', id, { description: 'x', ...wrong }), mismatch)
    assert.equal((await groupOf(id))?.description, 'People')
    const right = { can_leave_group: { new: system.members, old: system.everyone } }
    assert.deepEqual(await edit('member', id, right), success)
  })

  // biome-ignore format: a matrix reads best in columns
  const matrix: [Actor, object][] = [
    ['owner',     success],
    ['member',    success],
    ['admin',     noPermission],
    ['moderator', noPermission],
    ['cordelia',  noPermission],
    ['guest',     noPermission],
  ]
  for (const [actor, expected] of matrix) {
    test(`${actor} ${expected === success ? 'can' : 'cannot'} change a member's group`, async () => {
      const id = await newGroup('member')
      assert.deepEqual(await edit(actor, id, { description: 'changed' }), expected)
    })
  }

  test('needs a change', async () => {
    const id = await newGroup()
    assert.deepEqual(await edit('member', id, {}), failure('No new data supplied'))
  })

  test('is refused for system groups, unknown ones and those of a setting', async () => {
    for (const id of [system.members, 9999, -1]) {
      assert.deepEqual(await edit('owner', id, { description: 'changed' }), unknownGroup)
    }
  })
})

describe('who is in a group', () => {
  const change = (actor: Actor, id: number, params: CallParams) =>
    server.as(actor).post(`/user_groups/${id}/members`, params)

  test('changes with an event each', async () => {
    const id = await newGroup()
    const queue = await server.as('guest').watch('user_group')
    const params = { add: [ids.cordelia, ids.othello], delete: [ids.member] }
    assert.deepEqual(await change('member', id, params), success)
    const event = { type: 'user_group', group_id: id }
    assert.deepEqual(await queue.drain(), [
      { ...event, op: 'add_members', user_ids: [ids.cordelia, ids.othello] },
      { ...event, op: 'remove_members', user_ids: [ids.member] },
    ])
    assert.deepEqual(await members(id), [ids.cordelia, ids.othello])
  })

  /** What Notification Bot tells each of these in direct messages while something happens. */
  async function toldBy(act: () => Promise<unknown>, actors: readonly Actor[]) {
    const queues = await Promise.all(
      actors.map((actor) => server.as(actor).watchWith({ event_types: ['message'] })),
    )
    await act()
    return await Promise.all(
      queues.map(async (queue) =>
        ((await queue.drain()) as unknown as { message: { content: string } }[]).map(
          ({ message }) => message.content,
        ),
      ),
    )
  }

  test('is told to people whom someone else adds or removes, in their language', async () => {
    const id = await newGroup('owner', { name: 'cast', members: [ids.zoe, ids.prospero] })
    await server.as('prospero').patch('/settings', { default_language: 'de' })
    const add = [ids.owner, ids.cordelia, ids.othello, ids.bot]
    const params = { add, delete: [ids.zoe, ids.prospero] }
    const act = async () => assert.deepEqual(await change('owner', id, params), success)
    const owner = `@_**Desdemona|${ids.owner}**`
    const added = `${owner} added you to the group @_*cast*.`
    assert.deepEqual(
      await toldBy(act, ['owner', 'cordelia', 'othello', 'bot', 'zoe', 'prospero', 'member']),
      [
        [],
        [added],
        [added],
        [],
        [`${owner} removed you from the group @_*cast*.`],
        [`${owner} hat dich aus der Gruppe @_*cast* entfernt.`],
        [],
      ],
    )
    await server.as('prospero').patch('/settings', { default_language: 'en' })
  })

  test('is told to nobody when it concerns more than 250 people at once', async () => {
    const people = await server.server.context.store.write((tx) =>
      Array.from({ length: 250 }, (_, i) => {
        const email = `crowd${i}@example.com`
        return createUser(tx, { email, fullName: `Crowd ${i}`, role: 400 }).id
      }),
    )
    const id = await newGroup('owner', { members: [] })
    const crowd = [...people, ids.cordelia]
    const all = async () => assert.deepEqual(await change('owner', id, { add: crowd }), success)
    assert.deepEqual(await toldBy(all, ['cordelia']), [[]])
    const fewer = () => change('owner', id, { delete: crowd.slice(1) })
    assert.deepEqual((await toldBy(fewer, ['cordelia']))[0]?.length, 1)
  })

  test('people join and leave where the group lets them, and only themselves', async () => {
    const open = { can_join_group: system.members, can_leave_group: system.members }
    const id = await newGroup('owner', { members: [], ...open })
    assert.deepEqual(await change('cordelia', id, { add: [ids.othello] }), noPermission)
    assert.deepEqual(await change('cordelia', id, { add: [ids.cordelia] }), success)
    assert.deepEqual(await change('othello', id, { delete: [ids.cordelia] }), noPermission)
    assert.deepEqual(await change('cordelia', id, { delete: [ids.cordelia] }), success)
    assert.deepEqual(await change('guest', id, { add: [ids.guest] }), noPermission)
  })

  test('a group holds what its subgroups hold, and never itself', async () => {
    const inner = await newGroup('member', { members: [ids.cordelia] })
    const outer = await newGroup('member', { members: [ids.othello], subgroups: [inner] })
    assert.deepEqual(await members(outer), [ids.cordelia, ids.othello])
    const member = server.as('member')
    const direct = await member.get(`/user_groups/${outer}/members`, { direct_member_only: true })
    assert.deepEqual(direct, { ...success, members: [ids.othello] })
    const inside = await member.get(`/user_groups/${outer}/members/${ids.cordelia}`)
    assert.deepEqual(inside, { ...success, is_user_group_member: true })
    const cycle = await member.post(`/user_groups/${inner}/subgroups`, { add: [outer] })
    assert.deepEqual(cycle, failure(`User group ${inner} is already inside user group ${outer}.`))
    const self = await member.post(`/user_groups/${inner}/subgroups`, { add: [inner] })
    assert.deepEqual(self, failure(`User group ${inner} is already inside user group ${inner}.`))
    assert.deepEqual(await member.get(`/user_groups/${outer}/subgroups`), {
      ...success,
      subgroups: [inner],
    })
    const queue = await server.as('guest').watch('user_group')
    assert.deepEqual(
      await member.post(`/user_groups/${outer}/members`, { delete_subgroups: [inner] }),
      success,
    )
    assert.deepEqual(await queue.drain(), [
      { type: 'user_group', op: 'remove_subgroups', group_id: outer, direct_subgroup_ids: [inner] },
    ])
  })

  // biome-ignore format: a table reads best in columns
  const table: [string, CallParams, object][] = [
    ['nothing',            {},                    failure('Nothing to do. Specify at least one of "add" or "delete".')],
    ['a member again',     { add: [10] },         failure('User 10 is already a member of this group')],
    ['no member',          { delete: [8] },       failure("There is no member '8' in this user group")],
    ['an unknown user',    { add: [9999] },       failure('Invalid user ID: 9999')],
    ['half of a change',   { add: [8], delete: [12] }, failure("There is no member '12' in this user group")],
  ]
  for (const [what, params, expected] of table) {
    test(`${what} is refused, and changes nobody's membership`, async () => {
      const id = await newGroup()
      assert.deepEqual(await change('member', id, params), expected)
      assert.deepEqual(await members(id), [ids.member])
    })
  }
})

describe('deactivating a group', () => {
  const deactivate = (actor: Actor, id: number) =>
    server.as(actor).post(`/user_groups/${id}/deactivate`)

  test('tells each client in the form it knows, and so does taking it back', async () => {
    const id = await newGroup()
    const old = await server.as('guest').watch('user_group')
    const current = await server.as('guest').watchWith({
      event_types: ['user_group'],
      client_capabilities: { include_deactivated_groups: true },
    })
    assert.deepEqual(await deactivate('member', id), success)
    assert.deepEqual(await deactivate('member', id), failure('User group is already deactivated.'))
    const event = { type: 'user_group', group_id: id }
    assert.deepEqual(await old.drain(), [{ ...event, op: 'remove' }])
    const told = (deactivated: boolean) => ({ ...event, op: 'update', data: { deactivated } })
    assert.deepEqual(await current.drain(), [told(true)])
    assert.equal(await groupOf(id), undefined)
    assert.equal((await groupOf(id, { include_deactivated_groups: true }))?.deactivated, true)
    assert.deepEqual(await edit('member', id, { description: 'still editable' }), success)
    assert.deepEqual(await old.drain(), [])
    assert.deepEqual(await edit('member', id, { deactivated: true }), success)
    assert.deepEqual(await edit('member', id, { deactivated: false }), success)
    assert.deepEqual(
      (await old.drain()).map(({ op }) => op),
      ['add'],
    )
    assert.deepEqual((await current.drain()).at(-1), told(false))
  })

  test('is refused while it is used, and says where', async () => {
    const id = await newGroup()
    const holder = await newGroup('member', {
      can_join_group: { direct_members: [ids.othello], direct_subgroups: [id] },
    })
    const outer = await newGroup('member', { subgroups: [id] })
    const objections = [
      { type: 'user_group', group_id: holder, settings: ['can_join_group'] },
      { type: 'subgroup', supergroup_ids: [outer] },
    ]
    assert.deepEqual(
      await deactivate('member', id),
      failure('Cannot deactivate user group in use.', 'CANNOT_DEACTIVATE_GROUP_IN_USE', {
        objections,
      }),
    )
  })

  test('takes it from mentions and settings', async () => {
    const id = await newGroup('member', { name: 'gone' })
    await deactivate('member', id)
    const queue = await server.as('member').watch('message')
    await server.say('owner', 'public', 'plans', '@*gone*')
    assert.deepEqual((await queue.drain())[0]?.flags, [])
    assert.deepEqual(await create('member', { can_join_group: id }), unknownGroup)
  })

  test('is for those who manage it', async () => {
    const id = await newGroup('member')
    assert.deepEqual(await deactivate('cordelia', id), noPermission)
    assert.deepEqual(await deactivate('owner', id), success)
    assert.deepEqual(await deactivate('owner', system.members), unknownGroup)
  })
})
