import { accountHolds } from '#platform/quotas/quota.ts'
import { navigationViews } from '#platform/store/schema.ts'
import { sentText } from '#translations/translate.ts'

export const navigationViewQuota = accountHolds(
  {
    name: 'navigation_views',
    most: 100,
    meaning: 'Navigation views of an account.',
    tooMany: sentText('You have too many navigation views (limit: {count})'),
  },
  navigationViews.userId,
)
