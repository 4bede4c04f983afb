import { permissionShapes } from '#permissions/shapes.ts'
import {
  always,
  boolean,
  choice,
  either,
  event,
  integer,
  list,
  named,
  noted,
  nullable,
  optionals,
  string,
  timestamp,
} from '#shape.ts'

const members = {
  id: integer,
  name: string,
  description: string,
  members: noted(list(integer), 'Direct members, without deactivated users.'),
  direct_subgroup_ids: list(integer),
  is_system_group: boolean,
  creator_id: nullable(integer),
  date_created: nullable(timestamp),
  deactivated: boolean,
  ...permissionShapes('group'),
}

/** @source api-changes §6, "UserGroup" */
export const groupShape = named('UserGroup', members)

export const groupEventShapes = [
  event('UserGroupAddEvent', 'user_group', { op: choice('add'), group: groupShape }),
  event('UserGroupRemoveEvent', 'user_group', { op: choice('remove'), group_id: integer }),
  event('UserGroupUpdateEvent', 'user_group', {
    op: choice('update'),
    group_id: integer,
    data: noted(named('UserGroupChanges', optionals(members)), 'What changed.'),
  }),
  event('UserGroupMembersEvent', 'user_group', {
    op: choice('add_members', 'remove_members'),
    group_id: integer,
    user_ids: list(integer),
  }),
  event('UserGroupSubgroupsEvent', 'user_group', {
    op: choice('add_subgroups', 'remove_subgroups'),
    group_id: integer,
    direct_subgroup_ids: list(integer),
  }),
]

const settings = list(string)

/** Where a group is used (level 298). */
export const groupUsesShape = list(
  either(
    named('UsedByOrganization', { type: always('realm'), settings }),
    named('UsedByChannel', { type: always('channel'), channel_id: integer, settings }),
    named('UsedByGroup', { type: always('user_group'), group_id: integer, settings }),
    named('UsedAsSubgroup', { type: always('subgroup'), supergroup_ids: list(integer) }),
  ),
)
