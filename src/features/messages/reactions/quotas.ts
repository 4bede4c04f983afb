import { countedQuota } from '#platform/quotas/quota.ts'
import { reactions } from '#platform/store/schema.ts'
import { countReactionsBy } from './queries.ts'

/** The reactions of an account to one message: everybody who fetches it gets all of them. */
export const reactionQuota = countedQuota<{ readonly messageId: number; readonly userId: number }>(
  {
    name: 'reactions_per_message',
    most: 100,
    tooMany: 'You have too many reactions to this message',
  },
  [reactions],
  (read, { messageId, userId }) => countReactionsBy(read, messageId, userId),
)
