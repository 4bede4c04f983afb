import { accountHolds, accountRate, hour } from '#platform/quotas/quota.ts'
import { webPushSubscriptions } from '#platform/store/schema.ts'
import { sentText } from '#translations/translate.ts'

export const subscriptionQuota = accountHolds(
  {
    name: 'web_push_subscriptions',
    most: 20,
    meaning: 'Browsers and other devices of an account that get notifications by Web Push.',
    tooMany: sentText(
      'You have turned on notifications on too many devices. Turn them off on one of them (limit: {count})',
    ),
  },
  webPushSubscriptions.userId,
)

/** Tests of notifications, each a request to a push service. */
export const testQuota = accountRate({
  name: 'web_push_tests_per_hour',
  most: 60,
  meaning: 'Test notifications of an account to its devices.',
  seconds: hour,
  tooMany: sentText('You have sent too many test notifications (limit: {count} an hour)'),
})
