import { isNotNull } from 'drizzle-orm'
import { day, organizationHolds, organizationRate } from '#platform/quotas/quota.ts'
import { realmExports } from '#platform/store/schema.ts'
import { sentText } from '#translations/translate.ts'

/** Exports whose files are kept. */
export const exportQuota = organizationHolds(
  {
    name: 'data_exports',
    most: 20,
    meaning: 'Exports of the organization that have not been deleted.',
    tooMany: sentText('There are too many data exports. Delete some first (limit: {count})'),
  },
  realmExports,
  isNotNull(realmExports.fileHash),
)

export const newExportQuota = organizationRate({
  name: 'data_exports_per_day',
  most: 20,
  meaning: 'New exports of the organization.',
  seconds: day,
  tooMany: sentText('Too many data exports were requested (limit: {count} a day)'),
})
