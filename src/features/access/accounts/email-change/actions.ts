import { requireAllowedAddress } from '#features/foundation/domains/rules.ts'
import { canSendMail, queueMail, queueNotice } from '#features/foundation/mail/actions.ts'
import {
  deleteAllMailLinksAbout,
  deleteMailLinksAbout,
  findMailLink,
  insertMailLink,
} from '#features/foundation/mail/links.queries.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { canAccessUser, canSeeEmail } from '#features/foundation/users/access.ts'
import { changeAddresses } from '#features/foundation/users/address-changes.actions.ts'
import { placeholderOwner } from '#features/foundation/users/addresses.queries.ts'
import {
  findUser,
  findUserByAddress,
  roles,
  type User,
  updateUser,
} from '#features/foundation/users/queries.ts'
import { requireAddress } from '#features/foundation/users/rules.ts'
import { deleteAddressesPostingAs } from '#features/notifications/mail-gateway/addresses.queries.ts'
import type { Context } from '#platform/context.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { addressInUseMail, confirmationMail, newAddressMail, oldAddressMail } from './mails.ts'

/**
 * Changes a user's own address. On a server without mail it changes immediately; otherwise when the
 * user opens the link sent to the new address. If the user may not know that someone has that
 * address, the answer is as if nobody had, and its owner gets a mail.
 *
 * @throws BAD_REQUEST the organization forbids it; an invalid, taken or forbidden address
 * @throws RATE_LIMIT_HIT too much mail by the user, or to the address
 * @source Zulip API, "Update settings", parameter "email"
 */
export function requestEmailChange(
  tx: Tx,
  { realmUrl }: Pick<Context, 'realmUrl'>,
  userId: number,
  wanted: string,
): void {
  const user = findUser(tx, userId)
  if (!user || wanted.trim() === user.email) return
  requireEmailChanges(tx, user)
  const isHidden = canSendMail(tx.config) && isHiddenAddress(tx, user, wanted)
  const email = isHidden ? requireAddress(wanted) : requireFreeAddress(tx, user, wanted)
  if (!canSendMail(tx.config)) {
    setEmail(tx, user, email, false)
    return
  }
  deleteMailLinksAbout(tx, 'email_change', user.id)
  if (isHidden) {
    requireAllowedAddress(tx, email)
    queueMail(tx, user, addressInUseMail(tx, email))
    return
  }
  const key = insertMailLink(tx, { purpose: 'email_change', userId: user.id, email })
  queueMail(tx, user, confirmationMail(tx, user, email, `${realmUrl}${confirmationPath}${key}/`))
}

/** Whether someone else has this address. The user must not learn who. */
function isHiddenAddress(read: Read, user: User, address: string): boolean {
  const key = address.trim().toLowerCase()
  const owner = findUserByAddress(read, key)
  if (owner?.emailKey !== key) return false
  return !(canAccessUser(read, user, owner) && canSeeEmail(read, user, owner))
}

/** The path of the page that confirms a new address. */
export const confirmationPath = '/accounts/confirm_new_email/'

/** The user and new address of a confirmation link; undefined if the link is not valid. */
export function findEmailChange(
  read: Read,
  key: string,
): { user: User; email: string } | undefined {
  const link = findMailLink(read, 'email_change', key)
  const user = link?.userId ? findUser(read, link.userId) : undefined
  return link && user?.isActive ? { user, email: link.email } : undefined
}

/**
 * Changes the address by a confirmation link, and notifies the old address.
 *
 * @throws NOT_FOUND the link is no longer valid
 * @throws BAD_REQUEST as `requestEmailChange`
 */
export function confirmEmailChange(tx: Tx, key: string): void {
  const change = findEmailChange(tx, key)
  if (!change) throw new ApiError('NOT_FOUND', sentSentence('This link is no longer valid.'))
  const { user, email } = change
  requireEmailChanges(tx, user)
  requireFreeAddress(tx, user, email)
  queueNotice(tx, oldAddressMail(tx, user, email))
  setEmail(tx, user, email, true)
}

/** @throws BAD_REQUEST only administrators may change addresses here */
function requireEmailChanges(read: Read, user: User): void {
  if (user.role <= roles.admin || !realmSetting(read, 'email_changes_disabled')) return
  throw badRequest(sentSentence('Email address changes are disabled in this organization.'), {
    parameter: 'email',
  })
}

/**
 * Checks that a user could have this address and returns it trimmed.
 *
 * @throws BAD_REQUEST an invalid, forbidden or taken address
 */
export function requireFreeAddress(read: Read, user: User, wanted: string): string {
  const email = requireAddress(wanted)
  const owner = findUserByAddress(read, email)
  const isForeign = owner !== undefined && owner.id !== user.id
  if (isForeign || placeholderOwner(read, email) !== undefined) {
    throw badRequest(sentSentence("Email '{email}' is already in use.", { email }), {
      parameter: 'email',
    })
  }
  if (email !== user.email) requireAllowedAddress(read, email)
  return email
}

/**
 * Mails a user whose address is changed by someone else, at the old and the new address, if mail
 * can be sent.
 */
export function queueAddressMails(tx: Tx, user: User, email: string): void {
  if (!canSendMail(tx.config) || email === user.email) return
  queueNotice(tx, oldAddressMail(tx, user, email))
  queueNotice(tx, newAddressMail(tx, user, email))
}

/**
 * Changes a user's address and notifies all users who see it. Invalidates links mailed to the old
 * address, and the email addresses that post as the user, some of which went there. The caller
 * checks permission.
 *
 * @param isVerified whether the new address is known to be theirs; another spelling of the old one
 *   is as verified as that
 */
export function setEmail(tx: Tx, user: User, email: string, isVerified: boolean): void {
  if (email === user.email) return
  const emailKey = email.toLowerCase()
  const isEmailVerified = emailKey === user.emailKey ? user.isEmailVerified : isVerified
  deleteAllMailLinksAbout(tx, user.id)
  deleteAddressesPostingAs(tx, user.id)
  changeAddresses(tx, user, () => {
    updateUser(tx, user.id, { email, emailKey, isEmailVerified })
  })
}
