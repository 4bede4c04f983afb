import { organizationHolds } from '#platform/quotas/quota.ts'
import { playgrounds } from '#platform/store/schema.ts'
import { sentText } from '#translations/translate.ts'

export const playgroundQuota = organizationHolds(
  {
    name: 'code_playgrounds',
    most: 500,
    meaning: 'Code playgrounds of the organization.',
    tooMany: sentText('The organization has too many code playgrounds (limit: {count})'),
  },
  playgrounds,
)
