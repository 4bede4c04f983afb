import { accountHolds } from '#platform/quotas/quota.ts'
import { scheduledMessages } from '#platform/store/schema.ts'
import { sentText } from '#translations/translate.ts'

export const scheduledMessageQuota = accountHolds(
  {
    name: 'scheduled_messages',
    most: 500,
    meaning: 'Scheduled messages of an account.',
    tooMany: sentText('You have too many scheduled messages (limit: {count})'),
  },
  scheduledMessages.senderId,
)
