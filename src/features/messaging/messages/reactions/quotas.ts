import { countedQuota } from '#platform/quotas/quota.ts'
import { reactions } from '#platform/store/schema.ts'
import { sentText } from '#translations/translate.ts'
import { countReactionsBy } from './queries.ts'

/** The reactions of an account to one message: clients fetch all of them with it. */
export const reactionQuota = countedQuota<{ readonly messageId: number; readonly userId: number }>(
  {
    name: 'reactions_per_message',
    most: 100,
    meaning: 'Reactions of an account to one message.',
    tooMany: sentText('You have too many reactions to this message (limit: {count})'),
  },
  [reactions],
  (read, { messageId, userId }) => countReactionsBy(read, messageId, userId),
)
