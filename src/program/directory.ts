import { sessionCookies } from '#features/access/sessions/cookies.pages.ts'
import { extendSession, findSession, hasSession } from '#features/access/sessions/queries.ts'
import { findRealm } from '#features/organization/realm/queries.ts'
import { realmSetting } from '#features/organization/realm/settings.queries.ts'
import { allowsSpectators } from '#features/organization/realm/spectators.queries.ts'
import { findUser, findUserByAddress, findUserByKey } from '#features/people/users/queries.ts'
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
