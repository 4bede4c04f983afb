import { ApiError } from '#errors.ts'
import { queueMail } from '#mail/actions.ts'
import {
  deleteAllMailLinksAbout,
  deleteMailLinksAbout,
  findMailLink,
  insertMailLink,
} from '#mail/links.ts'
import { requireRealm } from '#realm/queries.ts'
import type { Read, Tx } from '#store/write.ts'
import { findUser, findUserByAddress, type User, updateUser } from '#users/queries.ts'
import { deleteSessionsOf } from '#users/sessions/queries.ts'

/** Where somebody who forgot their password asks for another. */
export const resetPath = '/accounts/password/reset/'

/** Sends a link to an address that belongs to an active person; to any other nothing goes. */
export function askPasswordReset(tx: Tx, address: string, realmUrl: string): void {
  const user = findUserByAddress(tx, address)
  const isTheirs = user?.emailKey === address.trim().toLowerCase()
  if (!user?.isActive || user.botType !== null || !isTheirs) return
  deleteMailLinksAbout(tx, 'password_reset', user.id)
  const key = insertMailLink(tx, { purpose: 'password_reset', userId: user.id, email: user.email })
  const { name } = requireRealm(tx)
  queueMail(tx, {
    address: user.email,
    subject: `Your password at ${name}`,
    body: [
      `To choose a new password at ${name}, open within a day:\n${realmUrl}${resetPath}${key}/`,
      'If you did not ask for this, you can ignore this mail.',
      '',
    ].join('\n\n'),
  })
}

/** Whose password a link would change; undefined when it does not work. */
export function findPasswordReset(read: Read, key: string): User | undefined {
  const link = findMailLink(read, 'password_reset', key)
  const user = link?.userId ? findUser(read, link.userId) : undefined
  return user?.isActive ? user : undefined
}

/**
 * Gives whoever opened a link a new password. They are logged out everywhere, and a change of their
 * address that waits to be confirmed is given up; API keys stay.
 *
 * @throws NOT_FOUND the link does not work any more
 */
export function resetPassword(tx: Tx, key: string, passwordHash: string): User {
  const user = findPasswordReset(tx, key)
  if (!user) throw new ApiError('NOT_FOUND', 'This link does not work any more.')
  deleteAllMailLinksAbout(tx, user.id)
  deleteSessionsOf(tx, user.id)
  return updateUser(tx, user.id, { passwordHash })
}
