import { preparedSql } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/store.ts'

const medium = preparedSql<{ hash: string }>(`
  SELECT medium_avatar_hash AS hash FROM users
  WHERE avatar_hash = @hash AND medium_avatar_hash IS NOT NULL LIMIT 1`)

/** The hash of the larger size of a user's avatar; undefined if no user has this avatar. */
export function mediumOf(read: Read, hash: string): string | undefined {
  return medium(read).get({ hash })?.hash
}
