import { organizationHolds } from '#platform/quotas/quota.ts'
import { linkifiers } from '#platform/store/schema.ts'
import { sentText } from '#translations/translate.ts'

export const linkifierQuota = organizationHolds(
  {
    name: 'linkifiers',
    most: 500,
    meaning: 'Linkifiers of the organization.',
    tooMany: sentText('The organization has too many linkifiers (limit: {count})'),
  },
  linkifiers,
)
