import { accountHolds } from '#platform/quotas/quota.ts'
import { userTopics } from '#platform/store/schema.ts'

export const userTopicQuota = accountHolds(
  {
    name: 'user_topics',
    most: 20_000,
    meaning: 'Topics that an account muted, unmuted or follows.',
    tooMany: 'You have muted, unmuted and followed too many topics',
  },
  userTopics.userId,
)
