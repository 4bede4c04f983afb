import { eq } from 'drizzle-orm'
import { organizationHolds } from '#platform/quotas/quota.ts'
import { channelFolders } from '#platform/store/schema.ts'
import { sentText } from '#translations/translate.ts'

export const channelFolderQuota = organizationHolds(
  {
    name: 'channel_folders',
    most: 500,
    meaning: 'Active folders of the organization.',
    tooMany: sentText('The organization has too many channel folders (limit: {count})'),
  },
  channelFolders,
  eq(channelFolders.isArchived, false),
)
