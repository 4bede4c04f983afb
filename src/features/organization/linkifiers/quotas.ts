import { organizationHolds } from '#platform/quotas/quota.ts'
import { linkifiers } from '#platform/store/schema.ts'

export const linkifierQuota = organizationHolds(
  { name: 'linkifiers', most: 500, tooMany: 'The organization has too many linkifiers' },
  linkifiers,
)
