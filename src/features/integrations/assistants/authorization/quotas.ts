import { accountHolds, hour, rate } from '#platform/quotas/quota.ts'
import { assistantConnections } from '#platform/store/schema.ts'
import { sentText } from '#translations/translate.ts'

/** The registrations of programs from one network, which everyone on earth can make. */
export const registrationRate = rate<string>(
  {
    name: 'assistant_registrations_per_hour',
    most: 60,
    meaning: 'Registrations of assistants from a network.',
    seconds: hour,
    tooMany: sentText('Too many registrations (limit: {count} an hour)'),
  },
  (network) => network,
)

export const connectionQuota = accountHolds(
  {
    name: 'assistants',
    most: 30,
    meaning: 'Assistants that are connected with an account.',
    tooMany: sentText('You have connected too many assistants (limit: {count})'),
  },
  assistantConnections.userId,
)
