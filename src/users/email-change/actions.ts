import type { Context } from '#context.ts'
import { requireAllowedAddress } from '#domains/rules.ts'
import { ApiError, badRequest } from '#errors.ts'
import { canSendMail, queueMail } from '#mail/actions.ts'
import {
  deleteAllMailLinksAbout,
  deleteMailLinksAbout,
  findMailLink,
  insertMailLink,
} from '#mail/links.ts'
import { realmSetting } from '#realm/settings.ts'
import type { Read, Tx } from '#store/write.ts'
import { changeAddresses } from '#users/address-changes.ts'
import { placeholderOwner } from '#users/addresses.ts'
import { findUser, findUserByAddress, roles, type User, updateUser } from '#users/queries.ts'
import { requireAddress } from '#users/rules.ts'
import { confirmationMail, oldAddressMail } from './mails.ts'

/**
 * Changes somebody's own address: at once on a server without mail, and otherwise when the link is
 * opened that goes to the new address.
 *
 * @throws BAD_REQUEST where the organization forbids it; an address that is none, taken or not
 *   allowed
 * @source the API description of `PATCH /settings`, `email`
 */
export function askEmailChange(
  tx: Tx,
  { config, realmUrl }: Pick<Context, 'config' | 'realmUrl'>,
  userId: number,
  wanted: string,
): void {
  const user = findUser(tx, userId)
  if (!user || wanted.trim() === user.email) return
  requireEmailChanges(tx, user)
  const email = requireFreeAddress(tx, user, wanted)
  if (!canSendMail(config)) {
    setEmail(tx, user, email)
    return
  }
  deleteMailLinksAbout(tx, 'email_change', user.id)
  const key = insertMailLink(tx, { purpose: 'email_change', userId: user.id, email })
  queueMail(tx, confirmationMail(tx, email, `${realmUrl}${confirmationPath}${key}/`))
}

/** Where somebody confirms a new address. */
export const confirmationPath = '/accounts/confirm_new_email/'

/** Whose address a link would change, and to what; undefined when it does not work. */
export function findEmailChange(
  read: Read,
  key: string,
): { user: User; email: string } | undefined {
  const link = findMailLink(read, 'email_change', key)
  const user = link?.userId ? findUser(read, link.userId) : undefined
  return link && user?.isActive ? { user, email: link.email } : undefined
}

/**
 * Changes the address that a link is about, and tells the old one.
 *
 * @throws NOT_FOUND the link does not work any more; BAD_REQUEST what `askEmailChange` says
 */
export function confirmEmailChange(tx: Tx, key: string): void {
  const change = findEmailChange(tx, key)
  if (!change) throw new ApiError('NOT_FOUND', 'This link does not work any more.')
  const { user, email } = change
  requireEmailChanges(tx, user)
  requireFreeAddress(tx, user, email)
  queueMail(tx, oldAddressMail(tx, user.email, email))
  setEmail(tx, user, email)
}

/** @throws BAD_REQUEST where only administrators change addresses, their own too */
function requireEmailChanges(read: Read, user: User): void {
  if (user.role <= roles.admin || !realmSetting(read, 'email_changes_disabled')) return
  throw badRequest('Email address changes are disabled in this organization.')
}

/**
 * An address that a user could have, as it is stored.
 *
 * @throws BAD_REQUEST no address, one that is not allowed here, or that is in use
 */
export function requireFreeAddress(read: Read, user: User, wanted: string): string {
  const email = requireAddress(wanted)
  const owner = findUserByAddress(read, email)
  const isForeign = owner !== undefined && owner.id !== user.id
  if (isForeign || placeholderOwner(read, email) !== undefined) {
    throw badRequest(`Email '${email}' is already in use.`)
  }
  if (email !== user.email) requireAllowedAddress(read, email)
  return email
}

/**
 * Gives a user another address and tells whom it concerns. Links in mail that went to the old one
 * end. Permission is the caller's to ask.
 */
export function setEmail(tx: Tx, user: User, email: string): void {
  if (email === user.email) return
  deleteAllMailLinksAbout(tx, user.id)
  changeAddresses(tx, user, () => {
    updateUser(tx, user.id, { email, emailKey: email.toLowerCase() })
  })
}
