import { randomBytes } from 'node:crypto'
import { seconds } from '#clock.ts'
import { requireAllowedAddress } from '#domains/rules.ts'
import { ApiError, badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import { canSendMail, queueMail } from '#mail/actions.ts'
import { limits, requireLength } from '#realm/limits.ts'
import type { Read, Tx } from '#store/write.ts'
import { findUser, findUserByAddress, roles, type User } from '#users/queries.ts'
import { requireAddress } from '#users/rules.ts'
import { emitInvitesChanged } from './events.ts'
import { invitationMail } from './mails.ts'
import {
  countReminder,
  countSentSince,
  endInvitation,
  findInvitation,
  type Invitation,
  insertInvitation,
  listInvitations,
} from './queries.ts'
import { type Given, mayGiveRole, requireInvitable } from './rules.ts'

/** What an invitation is to be like. */
export interface AskedInvitation extends Given {
  /** Null: it never expires. */
  readonly validMinutes: number | null
  readonly joinDefaultChannels: boolean
  /** Markdown; ignored unless an administrator asks. Null: as the organization says. */
  readonly welcomeText: string | null
  /** Whether the inviter hears of it when somebody joins. */
  readonly tellInviter: boolean
}

/** How many invitations go out by mail in 24 hours. */
const mailsPerDay = 500
const day = 24 * 3600
/** How often an invitation is sent again: its address belongs to somebody who did not ask. */
const mostReminders = 5

/**
 * Makes a link by which people join until it expires or is revoked.
 *
 * @throws what `requireInvitable` says; BAD_REQUEST a welcome text that is too long
 * @source contract, "Create a reusable invitation link"
 */
export function createLink(tx: Tx, caller: Caller, asked: AskedInvitation): Invitation {
  const user = currentUser(tx, caller)
  requireInvitable(tx, user, 'create_multiuse_invite_group', asked)
  const link = insert(tx, user, asked, null)
  emitInvitesChanged(tx, user.id)
  return link
}

/** An address that got no invitation, why, and whether its account is deactivated. */
export type Uninvited = readonly [email: string, reason: string, isDeactivated: boolean]

export interface SentInvitations {
  readonly sent: number
  readonly uninvited: readonly Uninvited[]
}

/**
 * Sends invitations by mail, as many as can be.
 *
 * @throws what `requireInvitable` says; BAD_REQUEST no address, no mail server; INVITATION_FAILED
 * too many in a day
 * @source the API description of `POST /invites`
 */
export function inviteByMail(
  tx: Tx,
  caller: Caller,
  emails: readonly string[],
  asked: AskedInvitation,
): SentInvitations {
  const user = currentUser(tx, caller)
  requireInvitable(tx, user, 'can_invite_users_group', asked)
  if (emails.length === 0) throw badRequest('You must specify at least one email address.')
  requireMail(caller)
  if (countSentSince(tx, seconds(tx.clock) - day) + emails.length > mailsPerDay) {
    throw invitationFailed('Too many people were invited today.', [], { daily_limit_reached: true })
  }
  const uninvited: Uninvited[] = []
  let sent = 0
  for (const email of new Set(emails)) {
    const problem = addressProblem(tx, email)
    if (problem) uninvited.push(problem)
    else {
      const invitation = insert(tx, user, asked, email)
      queueMail(tx, invitationMail(tx, invitation, email, caller.server.realmUrl))
      sent++
    }
  }
  if (sent > 0) emitInvitesChanged(tx, user.id)
  return { sent, uninvited }
}

/** The error that says who got no invitation. @source the API description, `InvitationFailedError` */
export function invitationFailed(
  message: string,
  errors: readonly Uninvited[],
  facts: { sent_invitations?: boolean; daily_limit_reached?: boolean } = {},
): ApiError {
  return new ApiError('INVITATION_FAILED', message, {
    errors,
    sent_invitations: false,
    license_limit_reached: false,
    daily_limit_reached: false,
    ...facts,
  })
}

function addressProblem(read: Read, email: string): Uninvited | undefined {
  const holder = findUserByAddress(read, email)
  if (holder) {
    return holder.isActive
      ? [email, 'Already has an account.', false]
      : [email, 'Account has been deactivated.', true]
  }
  try {
    requireAllowedAddress(read, requireAddress(email))
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return [email, error.message, false]
    throw error
  }
}

function insert(tx: Tx, user: User, asked: AskedInvitation, email: string | null): Invitation {
  const { validMinutes, welcomeText, role, joinDefaultChannels, tellInviter } = asked
  if (welcomeText !== null) {
    requireLength('welcome_message_custom_text', welcomeText, limits.welcomeTextLength)
  }
  const now = seconds(tx.clock)
  return insertInvitation(tx, {
    key: randomBytes(20).toString('hex'),
    email,
    inviterId: user.id,
    role,
    channelIds: [...new Set(asked.channelIds)],
    groupIds: [...new Set(asked.groupIds)],
    joinDefaultChannels,
    welcomeText: user.role <= roles.admin ? welcomeText : null,
    tellInviter,
    createdAt: now,
    expiresAt: validMinutes === null ? null : now + validMinutes * 60,
  })
}

/**
 * The invitations that a user can manage: the own, and for administrators those of others, but for
 * invitations to a role with more rights than their own.
 */
export function listManageable(read: Read, user: User): Invitation[] {
  return listInvitations(read).filter((invitation) => canManage(user, invitation))
}

function canManage(user: User, { inviterId, role }: Invitation): boolean {
  if (inviterId === user.id) return true
  return user.role <= roles.admin && mayGiveRole(user, role)
}

/** @throws BAD_REQUEST "No such invitation": none, not of this kind, or not the caller's to manage */
function accessInvitation(read: Read, user: User, id: number, isLink: boolean): Invitation {
  const invitation = findInvitation(read, id)
  const fits = invitation && (invitation.email === null) === isLink
  if (!fits || !canManage(user, invitation)) throw badRequest('No such invitation')
  return invitation
}

/** Ends an invitation before its time. @throws what `accessInvitation` says */
export function revokeInvitation(tx: Tx, caller: Caller, id: number, isLink: boolean): void {
  const invitation = accessInvitation(tx, currentUser(tx, caller), id, isLink)
  endInvitation(tx, invitation.id)
  emitInvitesChanged(tx, invitation.inviterId)
}

/**
 * Sends the mail of an invitation again, with the same link.
 *
 * @throws what `accessInvitation` says; BAD_REQUEST no mail server, or sent too often
 */
export function resendInvitation(tx: Tx, caller: Caller, id: number): void {
  const invitation = accessInvitation(tx, currentUser(tx, caller), id, false)
  requireMail(caller)
  if (invitation.reminders >= mostReminders) {
    throw badRequest('This invitation was sent often enough.')
  }
  countReminder(tx, invitation)
  const { realmUrl } = caller.server
  queueMail(tx, invitationMail(tx, invitation, invitation.email ?? '', realmUrl))
}

function requireMail({ server }: Caller): void {
  if (canSendMail(server.config)) return
  throw badRequest('This server sends no mail: make an invitation link instead.')
}

/** Whoever asks, as they are now. */
function currentUser(read: Read, { user }: Caller): User {
  return findUser(read, user.id) ?? user
}
