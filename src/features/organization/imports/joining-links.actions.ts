import { resetPath } from '#features/access/accounts/password-reset/actions.ts'
import { deleteMailLinksAbout, insertMailLink } from '#features/foundation/mail/links.queries.ts'
import { listUsers, type User } from '#features/foundation/users/queries.ts'
import type { Read, Tx } from '#platform/store/store.ts'

/** How long the links are valid, in seconds. */
const lifetime = 30 * 24 * 3600

/** A link with which someone chooses a password once. */
export interface JoiningLink {
  readonly email: string
  readonly name: string
  readonly url: string
}

/** Imported people who may log in, but never have. */
export function listAwaited(read: Read): User[] {
  return listUsers(read).filter(
    ({ awaitsFirstLogin, botType, isActive }) => awaitsFirstLogin && isActive && botType === null,
  )
}

/**
 * Makes a link for each of these people, or for all who have never logged in; their earlier ones end.
 *
 * @param realmUrl the origin of the server
 */
export function makeJoiningLinks(
  tx: Tx,
  realmUrl: string,
  people: readonly User[] = listAwaited(tx),
): JoiningLink[] {
  return people.map(({ email, fullName: name, id: userId }) => {
    deleteMailLinksAbout(tx, 'password_reset', userId)
    const key = insertMailLink(tx, { purpose: 'password_reset', userId, email }, lifetime)
    return { email, name, url: `${realmUrl}${resetPath}${key}/` }
  })
}

/** The links as a table of comma-separated values; no spreadsheet treats a name as a formula. */
export function linksCsv(links: readonly JoiningLink[]): string {
  return links
    .map(({ email, name, url }) => `${[email, name, url].map(csvValue).join(',')}\n`)
    .join('')
}

function csvValue(text: string): string {
  return `"${(/^[=+@-]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
}
