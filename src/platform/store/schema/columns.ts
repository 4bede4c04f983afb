import { customType, integer } from 'drizzle-orm/sqlite-core'

export const flag = () => integer({ mode: 'boolean' }).notNull().default(false)

/** Seconds since the epoch. */
export const seconds = () => integer()

export const bytes = customType<{ data: Uint8Array; driverData: Buffer }>({
  dataType: () => 'blob',
})
