import { organizationHolds } from '#platform/quotas/quota.ts'
import { profileFields } from '#platform/store/schema.ts'

export const profileFieldQuota = organizationHolds(
  {
    name: 'profile_fields',
    most: 100,
    tooMany: 'The organization has too many custom profile fields',
  },
  profileFields,
)
