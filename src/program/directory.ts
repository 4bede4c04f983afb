import { findRealm } from '#features/realm/queries.ts'
import { allowsSpectators } from '#features/realm/spectators.queries.ts'
import { sessionCookies } from '#features/sessions/cookies.pages.ts'
import { extendSession, findSession, hasSession } from '#features/sessions/queries.ts'
import { findUser, findUserByAddress, findUserByKey } from '#features/users/queries.ts'
import type { Directory } from '#platform/http/directory.ts'

/** The queries that the HTTP layer uses to identify callers. */
export const directory: Directory = {
  organization(read) {
    const realm = findRealm(read)
    if (!realm) return 'missing'
    return realm.deactivatedAt === null ? 'open' : 'deactivated'
  },
  allowsSpectators,
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
