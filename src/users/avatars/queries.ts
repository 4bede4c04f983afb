import { preparedSql } from '#store/prepared.ts'
import type { Read } from '#store/write.ts'

const medium = preparedSql<{ hash: string }>(`
  SELECT medium_avatar_hash AS hash FROM users
  WHERE avatar_hash = @hash AND medium_avatar_hash IS NOT NULL LIMIT 1`)

/** The larger form of a picture that is somebody's; undefined for what is nobody's. */
export function mediumOf(read: Read, hash: string): string | undefined {
  return medium(read).get({ hash })?.hash
}
