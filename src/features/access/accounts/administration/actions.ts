import { createUser, deactivateUser, reactivateUser } from '#features/access/accounts/actions.ts'
import {
  queueAddressMails,
  requireFreeAddress,
  setEmail,
} from '#features/access/accounts/email-change/actions.ts'
import { changeFullName } from '#features/access/accounts/own-settings/actions.ts'
import { botQuota } from '#features/foundation/bots/quotas.ts'
import { requireAllowedAddress } from '#features/foundation/domains/rules.ts'
import { canSendMail, queueNotice } from '#features/foundation/mail/actions.ts'
import { noticeQuota } from '#features/foundation/mail/quotas.ts'
import { requireAdministrator, requireOwner } from '#features/foundation/permissions/rules.ts'
import { accessUser } from '#features/foundation/users/access.ts'
import {
  countActiveOwners,
  findUser,
  type Role,
  roles,
  type User,
} from '#features/foundation/users/queries.ts'
import { requireFullName } from '#features/foundation/users/rules.ts'
import { startOnboarding } from '#features/people/onboarding/actions.ts'
import {
  changeProfile,
  type ProfileChange,
} from '#features/people/profile-fields/values/actions.ts'
import { welcomeNewcomer } from '#features/people/welcome/actions.ts'
import { badRequest, checking } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { requireRoom, spend } from '#platform/quotas/room.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { deactivationMail } from './mails.ts'
import { newAccountQuota } from './quotas.ts'
import { changeRole } from './roles.actions.ts'

export interface UserChanges {
  readonly fullName?: string | undefined
  readonly role?: Role | undefined
  readonly profile?: readonly ProfileChange[] | undefined
  /** The new real address. */
  readonly email?: string | undefined
}

/**
 * Changes another user on behalf of an administrator.
 *
 * @param realmUrl the server's origin
 * @throws UNAUTHORIZED_PRINCIPAL a caller who is not an owner changes the owner role or an address
 * @throws BAD_REQUEST the only owner's role, a guest who would be an administrator, an invalid or taken name or address, a bad profile
 *   value
 * @source Zulip API, "Update a user by email"
 */
export function updateUser(
  tx: Tx,
  caller: Caller,
  target: User,
  changes: UserChanges,
  realmUrl: string,
): void {
  const acting = caller.user
  requireAdministrator(acting)
  const user = requirePerson(target)
  const { role, fullName, profile, email } = changes
  if (role !== undefined && role !== user.role) {
    if (role === roles.owner || user.role === roles.owner) requireOwner(acting)
    if (user.role === roles.guest && role <= roles.admin) {
      throw badRequest(sentSentence('Guests cannot be organization administrators.'), {
        parameter: 'role',
      })
    }
    if (isLastOwner(tx, user)) {
      throw badRequest(
        sentSentence('The owner permission cannot be removed from the only organization owner.'),
        { parameter: 'role' },
      )
    }
    changeRole(tx, caller.server.queues, user, role)
  }
  if (fullName !== undefined) changeFullName(tx, findUser(tx, user.id) ?? user, fullName)
  if (email !== undefined) changeEmail(tx, acting, findUser(tx, user.id) ?? user, email)
  if (profile) {
    checking('profile_data', () => changeProfile(tx, user, profile, true, realmUrl))
  }
}

/** Hides system bots from administrators. */
function requirePerson(user: User): User {
  if (user.isSystemBot) throw badRequest(sentSentence('No such user'), { parameter: 'user_id' })
  return user
}

function isLastOwner(read: Read, user: User): boolean {
  const owns = user.isActive && user.role === roles.owner && user.botType === null
  return owns && countActiveOwners(read) === 1
}

/**
 * @throws BAD_REQUEST the operator has not allowed the caller to do this; an invalid, forbidden or
 * taken address
 */
function changeEmail(tx: Tx, acting: User, user: User, wanted: string): void {
  requireOwner(acting)
  const allowedEmails = tx.config.emailChangers.map((address) => address.toLowerCase())
  if (!allowedEmails.includes(acting.emailKey)) {
    throw badRequest(sentSentence('User not authorized to change user emails'), {
      parameter: 'new_email',
    })
  }
  const email = checking('new_email', () => requireFreeAddress(tx, user, wanted))
  queueAddressMails(tx, user, email)
  setEmail(tx, user, email, false)
}

/**
 * Creates an account for someone else, and welcomes them.
 *
 * @throws BAD_REQUEST a taken name or address, or a domain that may not join
 * @throws RATE_LIMIT_HIT too many new accounts
 */
export function createMember(
  tx: Tx,
  caller: Caller,
  account: { email: string; fullName: string; passwordHash: string },
): User {
  requireAdministrator(caller.user)
  requireAllowedAddress(tx, account.email.trim())
  spend(tx, newAccountQuota, caller.user)
  const user = createUser(tx, {
    ...account,
    fullName: requireFullName(tx, account.fullName),
    role: roles.member,
    joinDefaultChannels: true,
  })
  startOnboarding(tx, user)
  welcomeNewcomer(tx, caller.server, user)
  return user
}

/**
 * Deactivates a person. Bots have their own endpoint.
 *
 * @param comment for the mail that informs the user, if the server can send mail; null: no mail
 * @throws BAD_REQUEST "No such user"; the only owner
 * @throws UNAUTHORIZED_PRINCIPAL
 * @throws RATE_LIMIT_HIT too much mail to the user
 */
export function deactivate(
  tx: Tx,
  caller: Caller,
  userId: number,
  comment: string | null = null,
): void {
  const acting = caller.user
  requireAdministrator(acting)
  const user = accessUser(tx, acting, userId)
  if (user.botType !== null)
    throw badRequest(sentSentence('No such user'), { parameter: 'user_id' })
  if (user.role === roles.owner) requireOwner(acting)
  if (isLastOwner(tx, user))
    throw badRequest(sentSentence('Cannot deactivate the only organization owner'))
  deactivateUser(tx, caller.server.queues, user)
  if (comment !== null && canSendMail(tx.config)) {
    // Fails rather than dropping the comment silently.
    requireRoom(tx, noticeQuota, user.email)
    queueNotice(tx, deactivationMail(tx, user, comment))
  }
}

/**
 * Deactivates the caller.
 *
 * @throws CANNOT_DEACTIVATE_LAST_USER the only owner
 */
export function deactivateOwn(tx: Tx, caller: Caller): void {
  deactivateUser(tx, caller.server.queues, caller.user)
}

/**
 * Reactivates a deactivated account with its keys, groups and subscriptions.
 *
 * @throws BAD_REQUEST "No such user"; an active user; a name that has been taken since; the owner
 * has too many bots
 */
export function reactivate(tx: Tx, caller: Caller, userId: number): void {
  const acting = caller.user
  requireAdministrator(acting)
  const user = requirePerson(accessUser(tx, acting, userId))
  if (user.role === roles.owner) requireOwner(acting)
  if (user.isActive) throw badRequest(sentSentence('User is already active'))
  const owner = user.botOwnerId === null ? undefined : findUser(tx, user.botOwnerId)
  if (owner && !owner.isActive) throw badRequest(sentSentence("The bot's owner is deactivated."))
  if (owner) requireRoom(tx, botQuota, owner)
  reactivateUser(tx, user)
}
