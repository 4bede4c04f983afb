import { accountHolds } from '#platform/quotas/quota.ts'
import { reminders } from '#platform/store/schema.ts'

export const reminderQuota = accountHolds(
  {
    name: 'reminders',
    most: 500,
    meaning: 'Reminders of an account.',
    tooMany: 'You have too many reminders',
  },
  reminders.userId,
)
