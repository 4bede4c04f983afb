import { eq } from 'drizzle-orm'
import { accountRate, hour, organizationHolds } from '#platform/quotas/quota.ts'
import { emojiPictures, realmEmoji } from '#platform/store/schema.ts'
import { sentText } from '#translations/translate.ts'

export const emojiQuota = organizationHolds(
  {
    name: 'custom_emoji',
    most: 5000,
    meaning: 'Active custom emoji of the organization.',
    tooMany: sentText('The organization has too many custom emoji (limit: {count})'),
    with: [emojiPictures],
  },
  realmEmoji,
  eq(realmEmoji.deactivated, false),
)

/** Clients fetch deactivated emoji too, and emoji are never deleted. */
export const newEmojiQuota = accountRate({
  name: 'custom_emoji_per_hour',
  most: 100,
  meaning: 'New custom emoji by an account.',
  seconds: hour,
  forAdministrators: 10,
  tooMany: sentText('You have added too many custom emoji (limit: {count} an hour)'),
})
