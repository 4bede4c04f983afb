import { groupJson } from '#features/foundation/groups/json.ts'
import {
  findGroup,
  type Group,
  listAllMembers,
  listDirectMembers,
  listGroups,
  listNestedGroups,
  listSubgroups,
} from '#features/foundation/groups/queries.ts'
import { groupQuota, newGroupQuota } from '#features/foundation/groups/quotas.ts'
import { groupShape, groupUsesShape } from '#features/foundation/groups/shapes.ts'
import { isInGroup } from '#features/foundation/permissions/membership.queries.ts'
import {
  groupSettingSchema,
  groupSettingUpdateSchema,
  permissionParams,
} from '#features/foundation/permissions/params.ts'
import { can } from '#features/foundation/permissions/rules.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import { badRequest } from '#platform/errors.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import {
  bool,
  int,
  ints,
  optional,
  prose,
  text,
  tidied,
  withDefault,
} from '#platform/http/params.ts'
import { limitsText } from '#platform/quotas/room.ts'
import * as shape from '#platform/shape.ts'
import type { Read } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import * as actions from './actions.ts'
import * as managing from './managing.actions.ts'
import { notifyMembers } from './notices.actions.ts'

/** The uses of a group that prevent its deactivation. */
const inUse = { CANNOT_DEACTIVATE_GROUP_IN_USE: { objections: groupUsesShape } }

const newSettings = permissionParams('group', groupSettingSchema)
const changedSettings = permissionParams('group', groupSettingUpdateSchema)

const longName = 2000

/** The most users or groups in one list of a request. */
const mostMembers = 5000

/** @source Zulip API, "Create a user group" */
export const createGroup = endpoint({
  method: 'post',
  path: '/user_groups/create',
  summary: 'Create a user group.',
  description: limitsText(groupQuota, newGroupQuota),
  params: {
    name: tidied(text(longName), actions.maxName),
    description: prose(actions.maxDescription),
    members: ints(mostMembers),
    subgroups: withDefault(ints(mostMembers), []),
    ...newSettings,
  },
  reply: { group_id: shape.integer },
  run: (caller, { name, description, members, subgroups, ...settings }) =>
    caller.store.write((tx) => {
      if (!can(tx, caller.user, 'can_create_groups'))
        throw badRequest(sentSentence('Insufficient permission'))
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

/** @source Zulip API, "Update a user group" */
export const editGroup = endpoint({
  method: 'patch',
  path: '/user_groups/:user_group_id',
  summary: 'Change a user group, or reactivate it.',
  params: {
    user_group_id: int(),
    name: optional(tidied(text(longName), actions.maxName)),
    description: optional(prose(actions.maxDescription)),
    deactivated: optional(bool()),
    ...changedSettings,
  },
  errors: ['EXPECTATION_MISMATCH', 'CANNOT_DEACTIVATE_GROUP_IN_USE'],
  errorMembers: inUse,
  reply: {},
  run: (caller, { user_group_id, name, description, deactivated, ...settings }) =>
    caller.store.write((tx) =>
      managing.editGroup(tx, caller, user_group_id, { name, description, deactivated, settings }),
    ),
})

/** @source Zulip API, "Deactivate a user group" (feature levels 290, 298) */
export const deactivateGroup = endpoint({
  method: 'post',
  path: '/user_groups/:user_group_id/deactivate',
  summary: 'Deactivate a user group.',
  params: { user_group_id: int() },
  errors: ['CANNOT_DEACTIVATE_GROUP_IN_USE'],
  errorMembers: inUse,
  reply: {},
  run: (caller, p) =>
    caller.store.write((tx) => managing.deactivateGroup(tx, caller, p.user_group_id)),
})

/** @source Zulip API, "Get user groups" */
export const getGroups = endpoint({
  method: 'get',
  path: '/user_groups',
  summary: 'List the user groups.',
  params: { include_deactivated_groups: withDefault(bool(), false) },
  reply: { user_groups: shape.list(groupShape) },
  run: ({ store }, p) => ({
    user_groups: listGroups(store)
      .filter(({ deactivated }) => !deactivated || p.include_deactivated_groups)
      .map((group) => groupJson(store, group)),
  }),
})

const idList = withDefault(ints(mostMembers), [])

/** @source Zulip API, "Update user group members" (feature level 311) */
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
    return caller.store.writeLong(function* (tx) {
      const changes = { add: p.add, remove: p.delete }
      managing.changeMembers(tx, caller, p.user_group_id, changes)
      managing.changeSubgroups(tx, caller, p.user_group_id, {
        add: p.add_subgroups,
        remove: p.delete_subgroups,
      })
      yield* notifyMembers(tx, caller, p.user_group_id, changes)
    })
  },
})

/** @source Zulip API, "Update subgroups of a user group" */
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

/** @source Zulip API, "Get user group members" */
export const getMembers = endpoint({
  method: 'get',
  path: '/user_groups/:user_group_id/members',
  summary: 'List the members of a user group.',
  params: { user_group_id: int(), direct_member_only: directOnly },
  reply: { members: shape.list(shape.integer) },
  run({ store }, p) {
    const { id } = accessGroup(store, p.user_group_id)
    return {
      members: p.direct_member_only ? listDirectMembers(store, id) : listAllMembers(store, id),
    }
  },
})

/** @source Zulip API, "Get subgroups of a user group" */
export const getSubgroups = endpoint({
  method: 'get',
  path: '/user_groups/:user_group_id/subgroups',
  summary: 'List the subgroups of a user group.',
  params: { user_group_id: int(), direct_subgroup_only: directOnly },
  reply: { subgroups: shape.list(shape.integer) },
  run({ store }, p) {
    const { id } = accessGroup(store, p.user_group_id)
    if (p.direct_subgroup_only) return { subgroups: listSubgroups(store, id) }
    const inner = [...listNestedGroups(store, id)].filter((other) => other !== id)
    return { subgroups: inner.sort((a, b) => a - b) }
  },
})

/** @source Zulip API, "Get user group membership status" */
export const isMember = endpoint({
  method: 'get',
  path: '/user_groups/:user_group_id/members/:user_id',
  summary: 'Check whether a user is a member of a user group.',
  params: { user_group_id: int(), user_id: int(), direct_member_only: directOnly },
  reply: { is_user_group_member: shape.boolean },
  run({ store }, p) {
    const group = accessGroup(store, p.user_group_id)
    const user = findUser(store, p.user_id)
    if (!user) throw badRequest(sentSentence('No such user'), { parameter: 'user_id' })
    const isIn = p.direct_member_only
      ? listDirectMembers(store, group.id).includes(user.id)
      : user.isActive && isInGroup(store, user, group.id)
    return { is_user_group_member: isIn }
  },
})

function accessGroup(read: Read, id: number): Group {
  const group = findGroup(read, id)
  if (!group) throw badRequest(sentSentence('Invalid user group'), { parameter: 'user_group_id' })
  return group
}

function requireSomething(lists: readonly (readonly number[])[]): void {
  if (lists.some((list) => list.length > 0)) return
  throw badRequest(sentSentence('Nothing to do. Specify at least one of "add" or "delete".'))
}
