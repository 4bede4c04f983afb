import { accountHolds } from '#platform/quotas/quota.ts'
import { alertWords } from '#platform/store/schema.ts'
import { sentText } from '#translations/translate.ts'

/** Every message is searched for the alert words of all accounts. */
export const alertWordQuota = accountHolds(
  {
    name: 'alert_words',
    most: 500,
    meaning: 'Alert words of an account.',
    tooMany: sentText('You have too many alert words (limit: {count})'),
  },
  alertWords.userId,
)
