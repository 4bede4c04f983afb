import { accountHolds } from '#platform/quotas/quota.ts'
import { drafts } from '#platform/store/schema.ts'

export const draftQuota = accountHolds(
  {
    name: 'drafts',
    most: 1000,
    meaning: 'Drafts of an account.',
    tooMany: 'You have too many drafts',
  },
  drafts.userId,
)
