import { requireAllowedAddress } from '#domains/rules.ts'
import { badRequest } from '#errors.ts'
import { emitConsent } from '#exports/events.ts'
import { emitMembershipsOf } from '#groups/actions.ts'
import { watchValuesOf } from '#groups/named-users.ts'
import type { Caller } from '#http/caller.ts'
import { canSendMail, queueMail } from '#mail/actions.ts'
import { requireAdministrator, requireOwner } from '#permissions/can.ts'
import type { Read, Tx } from '#store/write.ts'
import { tellOfComeback } from '#subscriptions/actions.ts'
import { accessUser } from '#users/access.ts'
import { createUser, deactivateUser } from '#users/actions.ts'
import { requireFreeAddress, setEmail } from '#users/email-change/actions.ts'
import { emitUserUpdate } from '#users/events.ts'
import { introduce } from '#users/introduction.ts'
import { changeFullName } from '#users/own-settings/actions.ts'
import { changeProfile, type ProfileChange } from '#users/profile/actions.ts'
import * as rows from '#users/queries.ts'
import { countActiveOwners, findUser, roles, type User } from '#users/queries.ts'
import { requireFullName } from '#users/rules.ts'
import { greet } from '#welcome/actions.ts'
import { deactivationMail } from './mails.ts'
import { changeRole } from './roles.ts'

export interface UserChanges {
  readonly fullName?: string | undefined
  readonly role?: number | undefined
  readonly profile?: readonly ProfileChange[] | undefined
  /** The new real address. */
  readonly email?: string | undefined
}

/**
 * Changes another user, as administrators may.
 *
 * @param realmUrl the server's origin
 * @throws UNAUTHORIZED_PRINCIPAL who is no owner and touches the owner role or an address
 * @throws BAD_REQUEST the only owner's role, impossible or taken names and addresses, bad profiles
 * @source contract, "Update a user by email"
 */
export function updateUser(
  tx: Tx,
  caller: Caller,
  target: User,
  changes: UserChanges,
  realmUrl: string,
): void {
  const acting = currentAdministrator(tx, caller)
  const user = requirePerson(target)
  const { role, fullName, profile, email } = changes
  if (role !== undefined && role !== user.role) {
    if (role === roles.owner || user.role === roles.owner) requireOwner(acting)
    if (isLastOwner(tx, user)) {
      throw badRequest('The owner permission cannot be removed from the only organization owner.')
    }
    changeRole(tx, caller.server.queues, user, role)
  }
  if (fullName !== undefined) changeFullName(tx, findUser(tx, user.id) ?? user, fullName)
  if (email !== undefined) changeEmail(tx, caller, acting, findUser(tx, user.id) ?? user, email)
  if (profile) changeProfile(tx, user, profile, true, realmUrl)
}

/** Whoever asks, as they are now; they may have lost their role since the request came. */
function currentAdministrator(read: Read, caller: Caller): User {
  const user = findUser(read, caller.user.id) ?? caller.user
  requireAdministrator(user)
  return user
}

/** The server's own bots are not for administrators to change. */
function requirePerson(user: User): User {
  if (user.isSystemBot) throw badRequest('No such user')
  return user
}

function isLastOwner(read: Read, user: User): boolean {
  const owns = user.isActive && user.role === roles.owner && user.botType === null
  return owns && countActiveOwners(read) === 1
}

/** @throws BAD_REQUEST without the operator's leave; no address, one not allowed, one in use */
function changeEmail(tx: Tx, caller: Caller, acting: User, user: User, wanted: string): void {
  requireOwner(acting)
  const holders = caller.server.config.emailChangers.map((address) => address.toLowerCase())
  if (!holders.includes(acting.emailKey)) {
    throw badRequest('User not authorized to change user emails')
  }
  setEmail(tx, user, requireFreeAddress(tx, user, wanted))
}

/**
 * Makes an account for somebody, and greets them.
 *
 * @throws BAD_REQUEST a name or address that is taken, or of a domain that may not join
 */
export function createMember(
  tx: Tx,
  caller: Caller,
  account: { email: string; fullName: string; passwordHash: string },
): User {
  currentAdministrator(tx, caller)
  requireAllowedAddress(tx, account.email.trim())
  const user = createUser(tx, {
    ...account,
    fullName: requireFullName(tx, account.fullName),
    role: roles.member,
    joinDefaultChannels: true,
  })
  greet(tx, caller.server, user)
  return user
}

/**
 * Deactivates a person; bots go another way.
 *
 * @param comment for the mail that tells them, where mail can be sent; null: no mail
 * @throws BAD_REQUEST "No such user"; the only owner
 * @throws UNAUTHORIZED_PRINCIPAL
 */
export function deactivate(
  tx: Tx,
  caller: Caller,
  userId: number,
  comment: string | null = null,
): void {
  const acting = currentAdministrator(tx, caller)
  const user = accessUser(tx, acting, userId)
  if (user.botType !== null) throw badRequest('No such user')
  if (user.role === roles.owner) requireOwner(acting)
  if (isLastOwner(tx, user)) throw badRequest('Cannot deactivate the only organization owner')
  deactivateUser(tx, caller.server.queues, user)
  if (comment !== null && canSendMail(caller.server.config)) {
    queueMail(tx, deactivationMail(tx, user.email, comment))
  }
}

/** Deactivates the caller. @throws CANNOT_DEACTIVATE_LAST_USER the only owner */
export function deactivateOwn(tx: Tx, caller: Caller): void {
  deactivateUser(tx, caller.server.queues, findUser(tx, caller.user.id) ?? caller.user)
}

/**
 * Makes a deactivated account active again: its keys, groups and subscriptions count again.
 *
 * @throws BAD_REQUEST "No such user"; an active user; a name that is somebody else's by now
 */
export function reactivate(tx: Tx, caller: Caller, userId: number): void {
  const acting = currentAdministrator(tx, caller)
  const user = requirePerson(accessUser(tx, acting, userId))
  if (user.role === roles.owner) requireOwner(acting)
  if (user.isActive) throw badRequest('User is already active')
  const owner = user.botOwnerId === null ? undefined : findUser(tx, user.botOwnerId)
  if (owner && !owner.isActive) throw badRequest("The bot's owner is deactivated.")
  requireFullName(tx, user.fullName, user.id)
  const values = watchValuesOf(tx, user)
  const back = rows.updateUser(tx, user.id, { isActive: true })
  emitUserUpdate(tx, back, { is_active: true })
  introduce(tx, back, () => true)
  emitConsent(tx, back)
  emitMembershipsOf(tx, 'add_members', back)
  values.tell()
  tellOfComeback(tx, back)
}
