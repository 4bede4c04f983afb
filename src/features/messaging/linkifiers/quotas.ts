import { organizationHolds } from '#platform/quotas/quota.ts'
import { linkifiers } from '#platform/store/schema.ts'

export const linkifierQuota = organizationHolds(
  {
    name: 'linkifiers',
    most: 500,
    meaning: 'Linkifiers of the organization.',
    tooMany: 'The organization has too many linkifiers',
  },
  linkifiers,
)
