import { permissionShapes } from '#features/foundation/permissions/shapes.ts'
import * as shape from '#platform/shape.ts'

const members = {
  id: shape.integer,
  name: shape.string,
  description: shape.string,
  members: shape.noted(shape.list(shape.integer), 'Direct members, without deactivated users.'),
  direct_subgroup_ids: shape.list(shape.integer),
  is_system_group: shape.boolean,
  creator_id: shape.nullable(shape.integer),
  date_created: shape.nullable(shape.timestamp),
  deactivated: shape.boolean,
  ...permissionShapes('group'),
}

/** @source Zulip API, "Get user groups" */
export const groupShape = shape.named('UserGroup', members)

export const groupEventShapes = [
  shape.event('UserGroupAddEvent', 'user_group', { op: shape.choice('add'), group: groupShape }),
  shape.event('UserGroupRemoveEvent', 'user_group', {
    op: shape.choice('remove'),
    group_id: shape.integer,
  }),
  shape.event('UserGroupUpdateEvent', 'user_group', {
    op: shape.choice('update'),
    group_id: shape.integer,
    data: shape.noted(shape.named('UserGroupChanges', shape.optionals(members)), 'What changed.'),
  }),
  shape.event('UserGroupMembersEvent', 'user_group', {
    op: shape.choice('add_members', 'remove_members'),
    group_id: shape.integer,
    user_ids: shape.list(shape.integer),
  }),
  shape.event('UserGroupSubgroupsEvent', 'user_group', {
    op: shape.choice('add_subgroups', 'remove_subgroups'),
    group_id: shape.integer,
    direct_subgroup_ids: shape.list(shape.integer),
  }),
]

const settings = shape.list(shape.string)

/** The uses of a group. @source Zulip API, "Deactivate a user group" (feature level 298) */
export const groupUsesShape = shape.list(
  shape.either(
    shape.named('UsedByOrganization', { type: shape.always('realm'), settings }),
    shape.named('UsedByChannel', {
      type: shape.always('channel'),
      channel_id: shape.integer,
      settings,
    }),
    shape.named('UsedByGroup', {
      type: shape.always('user_group'),
      group_id: shape.integer,
      settings,
    }),
    shape.named('UsedAsSubgroup', {
      type: shape.always('subgroup'),
      supergroup_ids: shape.list(shape.integer),
    }),
  ),
)
