import { organizationHolds } from '#platform/quotas/quota.ts'
import { profileFields } from '#platform/store/schema.ts'
import { sentText } from '#translations/translate.ts'

export const profileFieldQuota = organizationHolds(
  {
    name: 'profile_fields',
    most: 100,
    meaning: 'Custom profile fields of the organization.',
    tooMany: sentText('The organization has too many custom profile fields (limit: {count})'),
  },
  profileFields,
)
