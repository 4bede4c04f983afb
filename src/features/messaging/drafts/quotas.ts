import { accountHolds } from '#platform/quotas/quota.ts'
import { drafts } from '#platform/store/schema.ts'
import { sentText } from '#translations/translate.ts'

export const draftQuota = accountHolds(
  {
    name: 'drafts',
    most: 1000,
    meaning: 'Drafts of an account.',
    tooMany: sentText('You have too many drafts (limit: {count})'),
  },
  drafts.userId,
)
