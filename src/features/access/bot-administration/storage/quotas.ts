import { accountHolds, countedQuota } from '#platform/quotas/quota.ts'
import { botStorage } from '#platform/store/schema.ts'
import { sentText } from '#translations/translate.ts'
import { storedSize } from './queries.ts'

/** The storage of a bot, in characters of keys and values together. */
export const storageQuota = countedQuota<{ readonly id: number }>(
  {
    name: 'bot_storage_characters',
    most: 10_000_000,
    meaning: 'Keys and values that a bot stores.',
    tooMany: sentText('The bot has too many characters in its storage (limit: {count})'),
  },
  [botStorage],
  (read, { id }) => storedSize(read, id),
)

export const storageKeyQuota = accountHolds(
  {
    name: 'bot_storage_keys',
    most: 100_000,
    meaning: 'Keys that a bot stores.',
    tooMany: sentText('The bot has too many keys in its storage (limit: {count})'),
  },
  botStorage.userId,
)
