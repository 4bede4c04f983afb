import { organizationHolds } from '#platform/quotas/quota.ts'
import { realmDomains } from '#platform/store/schema.ts'
import { sentText } from '#translations/translate.ts'

export const domainQuota = organizationHolds(
  {
    name: 'allowed_domains',
    most: 1000,
    meaning: 'Email domains whose users may join.',
    tooMany: sentText('The organization has too many allowed domains (limit: {count})'),
  },
  realmDomains,
)
