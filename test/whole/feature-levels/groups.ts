import assert from 'node:assert/strict'
import type { Level } from './tools.ts'
import * as t from './tools.ts'

/** User groups and who is in them. */
export const groupLevels: readonly Level[] = [
  [
    260,
    '`can_mention_group` is changed by what it was and what it will be',
    async (server) => {
      const id = await t.group(server)
      const everyone = await t.systemGroup(server, 'role:everyone')
      const members = await t.systemGroup(server, 'role:members')
      const change = (old: number) =>
        server
          .as('member')
          .patch(`/user_groups/${id}`, { can_mention_group: { new: members, old } })
      assert.equal(await t.codeOf(change(members)), 'EXPECTATION_MISMATCH')
      await t.ok(change(everyone))
    },
  ],
  [
    290,
    'user groups can be deactivated',
    async (server) => {
      const id = await t.group(server)
      const knows = { client_capabilities: { include_deactivated_groups: true } }
      const queue = await server.as('guest').watchWith({ event_types: ['user_group'], ...knows })
      await t.ok(server.as('member').post(`/user_groups/${id}/deactivate`))
      const [event] = await queue.drain()
      assert.deepEqual([event?.op, event?.data], ['update', { deactivated: true }])
    },
  ],
  [
    292,
    'user groups say when they were made',
    async (server) => {
      const id = await t.group(server)
      const { realm_user_groups } = await t.state(server, ['realm_user_groups'])
      const made = (realm_user_groups as t.Json[]).find((each) => each.id === id)
      assert.equal(made?.date_created, Math.floor(server.clock.now() / 1000))
    },
  ],
  [
    294,
    'deactivated groups are for clients that know of them; none is deleted',
    async (server) => {
      const id = await t.group(server)
      const queue = await server.as('guest').watch('user_group')
      await t.ok(server.as('member').post(`/user_groups/${id}/deactivate`))
      assert.equal((await queue.drain())[0]?.op, 'remove')
      const listed = async (client_capabilities: object) =>
        (
          (await t.state(server, ['realm_user_groups'], { client_capabilities }))
            .realm_user_groups as t.Json[]
        ).some((each) => each.id === id)
      assert.deepEqual(
        [await listed({}), await listed({ include_deactivated_groups: true })],
        [false, true],
      )
      const got = async (include_deactivated_groups: boolean) =>
        (
          await t.ok<{ user_groups: t.Json[] }>(
            server.as('member').get('/user_groups', { include_deactivated_groups }),
          )
        ).user_groups.some((each) => each.id === id)
      assert.deepEqual([await got(false), await got(true)], [false, true])
      const reply = await server.as('owner').del(`/user_groups/${id}`)
      assert.equal(reply.result, 'error')
    },
  ],
  [
    298,
    'a group in use cannot be deactivated, and the answer says where it is used',
    async (server) => {
      const id = await t.group(server)
      const holder = await t.group(server, { can_join_group: id })
      const reply = await server.as('member').post(`/user_groups/${id}/deactivate`)
      assert.equal(reply.code, 'CANNOT_DEACTIVATE_GROUP_IN_USE')
      assert.deepEqual(reply.objections, [
        { type: 'user_group', group_id: holder, settings: ['can_join_group'] },
      ])
    },
  ],
  [
    303,
    'who is deactivated is in no group meanwhile',
    async (server) => {
      const person = await server.enroll(t.fresh('Comer'))
      const id = await t.group(server, { members: [person.id] })
      const owner = server.as('owner')
      const queue = await server.as('guest').watch('user_group')
      const members = async () =>
        (await t.ok<{ members: number[] }>(owner.get(`/user_groups/${id}/members`))).members
      await t.ok(owner.del(`/users/${person.id}`))
      assert.deepEqual(await members(), [])
      const add = owner.post(`/user_groups/${id}/members`, { add: [person.id] })
      assert.equal(await t.codeOf(add), 'BAD_REQUEST')
      await t.ok(owner.post(`/users/${person.id}/reactivate`))
      assert.deepEqual(await members(), [person.id])
      const ops = (await queue.drain()).filter((event) => event.group_id === id).map(({ op }) => op)
      assert.deepEqual(ops, ['remove_members', 'add_members'])
    },
  ],
  [
    311,
    'groups are made with subgroups, and get and lose them with members',
    async (server) => {
      const [a, b] = [await t.group(server), await t.group(server)]
      const id = await t.group(server, { subgroups: [a] })
      const member = server.as('member')
      const change = { add_subgroups: [b], delete_subgroups: [a] }
      await t.ok(member.post(`/user_groups/${id}/members`, change))
      const reply = await t.ok(member.get(`/user_groups/${id}/subgroups`))
      assert.deepEqual(reply.subgroups, [b])
    },
  ],
  [
    317,
    'POST /user_groups/create answers the `group_id`',
    async (server) => assert.equal(typeof (await t.group(server)), 'number'),
  ],
  [
    322,
    'who is invited can be put in groups',
    async (server) => {
      const id = await t.group(server)
      const reply = await t.ok(server.as('owner').post('/invites/multiuse', { group_ids: [id] }))
      assert.equal('ignored_parameters_unsupported' in reply, false)
      const unknown = server.as('owner').post('/invites/multiuse', { group_ids: [999_999] })
      assert.equal(await t.codeOf(unknown), 'BAD_REQUEST')
    },
  ],
  [
    340,
    'all of a deactivated group can be changed',
    async (server) => {
      const id = await t.group(server)
      const member = server.as('member')
      await t.ok(member.post(`/user_groups/${id}/deactivate`))
      const members = await t.systemGroup(server, 'role:members')
      const changes = { name: t.fresh('renamed'), can_join_group: { new: members } }
      await t.ok(member.patch(`/user_groups/${id}`, changes))
    },
  ],
  [
    341,
    '`can_subscribe_other_users` says nothing that `can_add_subscribers_group` does not',
    async (server) => {
      const me = await t.state(server, ['realm_user'])
      assert.ok([undefined, true].includes(me.can_subscribe_other_users as undefined))
    },
  ],
  [
    386,
    'a deactivated group can be active again',
    async (server) => {
      const id = await t.group(server)
      const member = server.as('member')
      await t.ok(member.post(`/user_groups/${id}/deactivate`))
      await t.ok(member.patch(`/user_groups/${id}`, { deactivated: false }))
      await t.group(server, { can_join_group: id })
    },
  ],
  [
    391,
    'deactivated groups can get members',
    async (server) => {
      const id = await t.group(server)
      const member = server.as('member')
      await t.ok(member.post(`/user_groups/${id}/deactivate`))
      await t.ok(member.post(`/user_groups/${id}/members`, { add: [server.ids.zoe] }))
    },
  ],
]
