import {
  type AnySQLiteColumn,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { flag, seconds } from './columns.ts'

/** A group-setting value: the ID of a named, system or anonymous group. */
export const groupSetting = () =>
  integer()
    .notNull()
    .references((): AnySQLiteColumn => userGroups.id)

export const userGroups = sqliteTable(
  'user_groups',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** Null for an anonymous group, which only represents the value of one setting. */
    name: text(),
    nameKey: text(),
    description: text().notNull().default(''),
    isSystem: flag(),
    creatorId: integer(),
    dateCreated: seconds(),
    deactivated: flag(),
    canAddMembersGroup: integer(),
    canJoinGroup: integer(),
    canLeaveGroup: integer(),
    canManageGroup: integer(),
    canMentionGroup: integer(),
    canRemoveMembersGroup: integer(),
  },
  (t) => [uniqueIndex('user_groups_name').on(t.nameKey)],
)

/** Direct members of named and anonymous groups. Roles determine the members of system groups. */
export const groupMembers = sqliteTable(
  'group_members',
  { groupId: integer().notNull(), userId: integer().notNull() },
  (t) => [
    primaryKey({ columns: [t.groupId, t.userId] }),
    index('group_members_user').on(t.userId, t.groupId),
  ],
)

export const groupSubgroups = sqliteTable(
  'group_subgroups',
  { groupId: integer().notNull(), subgroupId: integer().notNull() },
  (t) => [
    primaryKey({ columns: [t.groupId, t.subgroupId] }),
    index('group_subgroups_subgroup').on(t.subgroupId, t.groupId),
  ],
)
