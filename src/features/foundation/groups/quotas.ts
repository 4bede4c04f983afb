import { and, eq, isNotNull } from 'drizzle-orm'
import { accountHolds, accountRate, hour } from '#platform/quotas/quota.ts'
import { groupMembers, groupSubgroups, userGroups } from '#platform/store/schema.ts'
import { sentText } from '#translations/translate.ts'

/** The active groups that an account created. */
export const groupQuota = accountHolds(
  {
    name: 'user_groups',
    most: 1000,
    meaning: 'Active groups that an account created.',
    tooMany: sentText('One account has created too many user groups (limit: {count})'),
    with: [groupMembers, groupSubgroups],
  },
  userGroups.creatorId,
  and(isNotNull(userGroups.name), eq(userGroups.deactivated, false)),
)

/** Clients fetch deactivated groups too, and groups are never deleted. */
export const newGroupQuota = accountRate({
  name: 'user_groups_per_hour',
  most: 100,
  meaning: 'New groups by an account.',
  seconds: hour,
  forAdministrators: 10,
  tooMany: sentText('You have created too many user groups (limit: {count} an hour)'),
})
