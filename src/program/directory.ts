import { findRealm } from '#features/foundation/realm/queries.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { allowsSpectators } from '#features/foundation/realm/spectators.queries.ts'
import { sessionCookies } from '#features/foundation/sessions/cookies.pages.ts'
import { extendSession, findSession, hasSession } from '#features/foundation/sessions/queries.ts'
import { findUser, findUserByAddress, findUserByKey } from '#features/foundation/users/queries.ts'
import type { Directory } from '#platform/http/directory.ts'

/** The queries that the HTTP layer uses to identify callers. */
export const directory: Directory = {
  organization(read) {
    const realm = findRealm(read)
    if (!realm) return 'missing'
    return realm.deactivatedAt === null ? 'open' : 'deactivated'
  },
  allowsSpectators,
  language: (read) => realmSetting(read, 'default_language'),
  findUser,
  findUserByAddress,
  findUserByKey,
  hasSession,
  findSession: (read, token) => findSession(read, token, read.clock),
  renewSession(tx, session, isSecure) {
    extendSession(tx, session.token, tx.clock)
    return sessionCookies(session, isSecure)
  },
}
