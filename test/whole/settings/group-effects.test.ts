import { after } from 'node:test'
import { systemGroupId } from '#features/foundation/permissions/membership.queries.ts'
import { permissionRules, type SystemGroup } from '#features/foundation/permissions/table.ts'
import { type Actor, startServer } from '#test/support/server.ts'
import { type Effect, testEffects, who } from './effects.ts'

const server = await startServer()
after(server.close)

const { ids, channels } = server
const { store } = server.server.context
const owner = server.as('owner')
const system = (name: SystemGroup) => systemGroupId(store, name)

const name = 'gardeners'
const { group_id: group } = await owner.post<{ group_id: number }>('/user_groups/create', {
  name,
  description: '',
  members: [ids.zoe],
  can_manage_group: system('role:nobody'),
  can_add_members_group: system('role:nobody'),
})

let made = 0

const members = (actor: Actor, change: object) =>
  server.as(actor).post(`/user_groups/${group}/members`, { ...change })

/** Makes someone a member, or not, whatever the group allows: as the owner. */
const put = (op: 'add' | 'delete', id: number) => members('owner', { [op]: [id] })

const effects: Record<string, Effect> = {
  can_add_members_group: {
    of: 'who adds others',
    see: () =>
      who(async (actor) => {
        await put('delete', ids.cordelia)
        return members(actor, { add: [ids.cordelia] })
      }),
    positions: [
      ['role:nobody', 'owner'],
      ['role:members', 'owner moderator member'],
    ],
  },
  can_join_group: {
    of: 'who comes in by themselves',
    see: () =>
      who(async (actor) => {
        await put('delete', ids[actor])
        return members(actor, { add: [ids[actor]] })
      }),
    positions: [
      ['role:nobody', 'owner'],
      ['role:moderators', 'owner moderator'],
    ],
  },
  can_leave_group: {
    of: 'who leaves by themselves',
    see: () =>
      who(async (actor) => {
        await put('add', ids[actor])
        return members(actor, { delete: [ids[actor]] })
      }),
    positions: [
      ['role:everyone', 'owner moderator member guest'],
      ['role:nobody', 'owner'],
    ],
  },
  can_manage_group: {
    of: 'who changes it',
    see: () =>
      who((actor) =>
        server.as(actor).patch(`/user_groups/${group}`, { description: `About ${++made}` }),
      ),
    positions: [
      ['role:nobody', 'owner'],
      ['role:moderators', 'owner moderator'],
    ],
  },
  can_mention_group: {
    of: 'who mentions it',
    see: () =>
      who((actor) =>
        server.as(actor).post('/messages', {
          type: 'channel',
          to: channels.shared,
          topic: 'x',
          content: `Hello @*${name}*.`,
        }),
      ),
    positions: [
      ['role:everyone', 'owner moderator member guest'],
      ['role:moderators', 'owner moderator'],
      ['role:nobody', 'nobody'],
    ],
  },
  can_remove_members_group: {
    of: 'who sends others away',
    see: () =>
      who(async (actor) => {
        await put('add', ids.cordelia)
        return members(actor, { delete: [ids.cordelia] })
      }),
    positions: [
      ['role:nobody', 'owner'],
      ['role:moderators', 'owner moderator'],
    ],
  },
}

testEffects(
  Object.keys(permissionRules.group),
  (setting, value) =>
    owner.patch(`/user_groups/${group}`, { [setting]: { new: system(value as SystemGroup) } }),
  effects,
  {},
)
