import { accountHolds } from '#platform/quotas/quota.ts'
import { userTopics } from '#platform/store/schema.ts'
import { sentText } from '#translations/translate.ts'

export const userTopicQuota = accountHolds(
  {
    name: 'user_topics',
    most: 20_000,
    meaning: 'Topics that an account muted, unmuted or follows.',
    tooMany: sentText('You have muted, unmuted and followed too many topics (limit: {count})'),
  },
  userTopics.userId,
)
