import { and, eq, isNotNull } from 'drizzle-orm'
import { accountHolds, accountRate, hour } from '#platform/quotas/quota.ts'
import { botOptions, botServices, users } from '#platform/store/schema.ts'
import { sentText } from '#translations/translate.ts'

/** The active bots of an owner. */
export const botQuota = accountHolds(
  {
    name: 'bots',
    most: 100,
    meaning: 'Active bots of an account.',
    tooMany: sentText('The owner has too many bots (limit: {count})'),
    with: [botOptions, botServices],
  },
  users.botOwnerId,
  and(isNotNull(users.botType), eq(users.isActive, true)),
)

/** Clients fetch deactivated bots too, and bots are never deleted. */
export const newBotQuota = accountRate({
  name: 'bots_per_hour',
  most: 50,
  meaning: 'New bots of an account.',
  seconds: hour,
  forAdministrators: 10,
  tooMany: sentText('You have created too many bots (limit: {count} an hour)'),
})
