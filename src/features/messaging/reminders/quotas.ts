import { accountHolds } from '#platform/quotas/quota.ts'
import { reminders } from '#platform/store/schema.ts'
import { sentText } from '#translations/translate.ts'

export const reminderQuota = accountHolds(
  {
    name: 'reminders',
    most: 500,
    meaning: 'Reminders of an account.',
    tooMany: sentText('You have too many reminders (limit: {count})'),
  },
  reminders.userId,
)
