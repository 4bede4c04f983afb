import { badRequest } from '#errors.ts'
import { endpoint } from '#http/endpoint.ts'
import { bool, int, ints, json, optional, text, withDefault } from '#http/params.ts'
import { can } from '#permissions/can.ts'
import { isInGroup } from '#permissions/groups.ts'
import { groupSettingSchema, groupSettingUpdateSchema } from '#permissions/param.ts'
import { boolean, integer, list } from '#shape.ts'
import type { Read } from '#store/write.ts'
import { findUser } from '#users/queries.ts'
import * as actions from './actions.ts'
import { groupJson } from './json.ts'
import * as managing from './managing.ts'
import {
  findGroup,
  type Group,
  listAllMembers,
  listDirectMembers,
  listGroups,
  listNestedGroups,
  listSubgroups,
} from './queries.ts'
import { groupShape } from './shapes.ts'

const newSetting = optional(json(groupSettingSchema))
const newSettings = {
  can_add_members_group: newSetting,
  can_join_group: newSetting,
  can_leave_group: newSetting,
  can_manage_group: newSetting,
  can_mention_group: newSetting,
  can_remove_members_group: newSetting,
}
const changedSetting = optional(json(groupSettingUpdateSchema))
const changedSettings = {
  can_add_members_group: changedSetting,
  can_join_group: changedSetting,
  can_leave_group: changedSetting,
  can_manage_group: changedSetting,
  can_mention_group: changedSetting,
  can_remove_members_group: changedSetting,
}
const longName = 2000

/** @source contract, "Create a user group" */
export const createGroup = endpoint({
  method: 'post',
  path: '/user_groups/create',
  summary: 'Create a user group.',
  params: {
    name: text(longName),
    description: text(longName * 2),
    members: ints(),
    subgroups: withDefault(ints(), []),
    ...newSettings,
  },
  reply: { group_id: integer },
  run: (caller, { name, description, members, subgroups, ...settings }) =>
    caller.store.write((tx) => {
      if (!can(tx, caller.user, 'can_create_groups')) throw badRequest('Insufficient permission')
      const group = actions.createGroup(tx, caller.user, {
        name,
        description,
        memberIds: members,
        subgroupIds: subgroups,
        settings,
      })
      return { group_id: group.id }
    }),
})

/** @source contract, "Update a user group" */
export const editGroup = endpoint({
  method: 'patch',
  path: '/user_groups/:user_group_id',
  summary: 'Change a user group, or reactivate it.',
  params: {
    user_group_id: int(),
    name: optional(text(longName)),
    description: optional(text(longName * 2)),
    deactivated: optional(bool()),
    ...changedSettings,
  },
  errors: ['EXPECTATION_MISMATCH', 'CANNOT_DEACTIVATE_GROUP_IN_USE'],
  reply: {},
  run: (caller, { user_group_id, name, description, deactivated, ...settings }) =>
    caller.store.write((tx) =>
      managing.editGroup(tx, caller, user_group_id, { name, description, deactivated, settings }),
    ),
})

/** @source api-changes §2a (levels 290, 298) */
export const deactivateGroup = endpoint({
  method: 'post',
  path: '/user_groups/:user_group_id/deactivate',
  summary: 'Deactivate a user group.',
  params: { user_group_id: int() },
  errors: ['CANNOT_DEACTIVATE_GROUP_IN_USE'],
  reply: {},
  run: (caller, p) =>
    caller.store.write((tx) => managing.deactivateGroup(tx, caller, p.user_group_id)),
})

/** @source the API description's "Get user groups"; api-changes §3c */
export const getGroups = endpoint({
  method: 'get',
  path: '/user_groups',
  summary: 'List the user groups.',
  params: { include_deactivated_groups: withDefault(bool(), false) },
  reply: { user_groups: list(groupShape) },
  run: ({ store }, p) => ({
    user_groups: listGroups(store)
      .filter(({ deactivated }) => !deactivated || p.include_deactivated_groups)
      .map((group) => groupJson(store, group)),
  }),
})

const idList = withDefault(ints(), [])

/** @source the API description's "Update user group members"; api-changes §3c (level 311) */
export const updateMembers = endpoint({
  method: 'post',
  path: '/user_groups/:user_group_id/members',
  summary: 'Add members and subgroups to a user group, and remove others.',
  params: {
    user_group_id: int(),
    add: idList,
    delete: idList,
    add_subgroups: idList,
    delete_subgroups: idList,
  },
  reply: {},
  run(caller, p) {
    const lists = [p.add, p.delete, p.add_subgroups, p.delete_subgroups]
    requireSomething(lists)
    return caller.store.write((tx) => {
      managing.changeMembers(tx, caller, p.user_group_id, { add: p.add, remove: p.delete })
      managing.changeSubgroups(tx, caller, p.user_group_id, {
        add: p.add_subgroups,
        remove: p.delete_subgroups,
      })
    })
  },
})

/** @source the API description's "Update subgroups of a user group" */
export const updateSubgroups = endpoint({
  method: 'post',
  path: '/user_groups/:user_group_id/subgroups',
  summary: 'Add subgroups to a user group, and remove others.',
  params: { user_group_id: int(), add: idList, delete: idList },
  reply: {},
  run(caller, p) {
    requireSomething([p.add, p.delete])
    return caller.store.write((tx) =>
      managing.changeSubgroups(tx, caller, p.user_group_id, { add: p.add, remove: p.delete }),
    )
  },
})

const directOnly = withDefault(bool(), false)

/** @source the API description's "Get user group members" */
export const getMembers = endpoint({
  method: 'get',
  path: '/user_groups/:user_group_id/members',
  summary: 'List the members of a user group.',
  params: { user_group_id: int(), direct_member_only: directOnly },
  reply: { members: list(integer) },
  run({ store }, p) {
    const { id } = accessGroup(store, p.user_group_id)
    return {
      members: p.direct_member_only ? listDirectMembers(store, id) : listAllMembers(store, id),
    }
  },
})

/** @source the API description's "Get subgroups of a user group" */
export const getSubgroups = endpoint({
  method: 'get',
  path: '/user_groups/:user_group_id/subgroups',
  summary: 'List the groups in a user group.',
  params: { user_group_id: int(), direct_subgroup_only: directOnly },
  reply: { subgroups: list(integer) },
  run({ store }, p) {
    const { id } = accessGroup(store, p.user_group_id)
    if (p.direct_subgroup_only) return { subgroups: listSubgroups(store, id) }
    const inner = [...listNestedGroups(store, id)].filter((other) => other !== id)
    return { subgroups: inner.sort((a, b) => a - b) }
  },
})

/** @source the API description's "Get user group membership status" */
export const isMember = endpoint({
  method: 'get',
  path: '/user_groups/:user_group_id/members/:user_id',
  summary: 'Find out whether a user is in a user group.',
  params: { user_group_id: int(), user_id: int(), direct_member_only: directOnly },
  reply: { is_user_group_member: boolean },
  run({ store }, p) {
    const group = accessGroup(store, p.user_group_id)
    const user = findUser(store, p.user_id)
    if (!user) throw badRequest('No such user')
    const isIn = p.direct_member_only
      ? listDirectMembers(store, group.id).includes(user.id)
      : user.isActive && isInGroup(store, user, group.id)
    return { is_user_group_member: isIn }
  },
})

function accessGroup(read: Read, id: number): Group {
  const group = findGroup(read, id)
  if (!group) throw badRequest('Invalid user group')
  return group
}

function requireSomething(lists: readonly (readonly number[])[]): void {
  if (lists.some((list) => list.length > 0)) return
  throw badRequest('Nothing to do. Specify at least one of "add" or "delete".')
}
