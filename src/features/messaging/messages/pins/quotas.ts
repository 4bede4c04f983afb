import { countedQuota } from '#platform/quotas/quota.ts'
import { pinnedMessages } from '#platform/store/schema.ts'
import { sentText } from '#translations/translate.ts'
import { countPins, mostListed } from './queries.ts'

/** The pinned messages of a channel or a direct conversation: clients fetch all of them together. */
export const pinQuota = countedQuota<{ readonly recipientId: number }>(
  {
    name: 'pinned_messages_per_conversation',
    most: mostListed,
    meaning: 'Pinned messages of a channel, or of a direct conversation.',
    tooMany: sentText('There are too many pinned messages here (limit: {count})'),
  },
  [pinnedMessages],
  (read, { recipientId }) => countPins(read, recipientId),
)
