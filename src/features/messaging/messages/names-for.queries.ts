import { canAccessUser } from '#features/foundation/users/access.ts'
import { userLanguage } from '#features/foundation/users/language.queries.ts'
import type { User } from '#features/foundation/users/queries.ts'
import type { Read } from '#platform/store/store.ts'
import { silentMention } from './quoting.ts'

/**
 * How the server names a user in a message that it writes to one reader: by a silent mention, or
 * not at all if the reader may not see them.
 */
export function nameFor(read: Read, reader: User, user: User | undefined): string {
  return user && canAccessUser(read, reader, user)
    ? silentMention(user)
    : userLanguage(read, reader).t('Someone')
}
