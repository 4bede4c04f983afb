import { randomBytes } from 'node:crypto'
import { requireAllowedAddress } from '#features/foundation/domains/rules.ts'
import { canMail, canSendMail, queueMail } from '#features/foundation/mail/actions.ts'
import { mailQuota } from '#features/foundation/mail/quotas.ts'
import { limits, requireLength } from '#features/foundation/realm/limits.ts'
import { findUserByAddress, roles, type User } from '#features/foundation/users/queries.ts'
import { requireAddress } from '#features/foundation/users/rules.ts'
import { seconds } from '#platform/clock.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { LongWrite } from '#platform/long-write.ts'
import { hasRoom, requireRoom, spend } from '#platform/quotas/room.ts'
import { slices } from '#platform/slices.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { type Sentence, sentSentence } from '#translations/translate.ts'
import { emitInvitesChanged } from './events.ts'
import { invitationMail } from './mails.ts'
import {
  countReminder,
  endInvitation,
  findInvitation,
  type Invitation,
  insertInvitation,
  listInvitations,
} from './queries.ts'
import { invitationMailQuota, invitationQuota } from './quotas.ts'
import { canGiveRole, type InvitationAccess, requireInvitable } from './rules.ts'

/** A requested invitation. */
export interface RequestedInvitation extends InvitationAccess {
  /** Null: it never expires. */
  readonly validMinutes: number | null
  readonly joinDefaultChannels: boolean
  /** Markdown; ignored unless an administrator sends it. Null: the organization's default. */
  readonly welcomeText: string | null
  /** Whether to notify the inviter when someone joins. */
  readonly tellInviter: boolean
}

/** The most reminders per invitation, because the recipient did not ask for them. */
const mostReminders = 5

/**
 * Creates a link by which people can join until it expires or is revoked.
 *
 * @throws BAD_REQUEST a welcome text that is too long; too many invitations; also as
 *   `requireInvitable`
 * @source Zulip API, "Create a reusable invitation link"
 */
export function createLink(tx: Tx, caller: Caller, asked: RequestedInvitation): Invitation {
  const { user } = caller
  requireInvitable(tx, user, 'create_multiuse_invite_group', asked)
  requireRoom(tx, invitationQuota, user)
  const link = insert(tx, user, asked, null)
  emitInvitesChanged(tx, user.id)
  return link
}

/** An address that got no invitation, the reason, and whether its account is deactivated. */
export type Uninvited = readonly [email: string, reason: string, isDeactivated: boolean]

export interface SentInvitations {
  readonly sent: number
  readonly uninvited: readonly Uninvited[]
}

/** How many addresses are checked or invited before others may have their turn. */
const invitedAtOnce = 20

/**
 * Sends invitations by mail to all addresses that can be invited, one to each regardless of
 * spelling; very many part by part, after all of them have been checked.
 *
 * @throws BAD_REQUEST no address, no mail server, or too many invitations; also as
 * `requireInvitable`, in which case invitations of earlier parts stay valid
 * @throws INVITATION_FAILED the daily limit is reached
 * @throws RATE_LIMIT_HIT too much mail by the caller
 * @source Zulip API, "Send invitations"
 */
export function* inviteByMail(
  tx: Tx,
  caller: Caller,
  emails: readonly string[],
  asked: RequestedInvitation,
): LongWrite<SentInvitations> {
  const { user } = caller
  requireInvitable(tx, user, 'can_invite_users_group', asked)
  if (emails.length === 0)
    throw badRequest(sentSentence('You must specify at least one email address.'), {
      parameter: 'invitee_emails',
    })
  requireMail(caller)
  let now = tx
  const invitees: string[] = []
  const uninvited: Uninvited[] = []
  for (const some of slices(withoutRepeats(emails), invitedAtOnce)) {
    for (const email of some) {
      const problem = addressProblem(now, email)
      if (problem) uninvited.push(problem)
      else invitees.push(email)
    }
    now = yield
  }
  requireDailyRoom(now, invitees.length)
  requireRoom(now, invitationQuota, user, invitees.length)
  requireRoom(now, mailQuota, user, invitees.length)
  let sent = 0
  for (const some of slices(invitees, invitedAtOnce)) {
    requireInvitable(now, caller.user, 'can_invite_users_group', asked)
    const refused = invitePart(now, caller, some, asked)
    uninvited.push(...refused)
    sent += some.length - refused.length
    now = yield
  }
  return { sent, uninvited }
}

/** Invites these addresses, except for those that get no more mail now. */
function invitePart(
  tx: Tx,
  caller: Caller,
  emails: readonly string[],
  asked: RequestedInvitation,
): readonly Uninvited[] {
  const { user } = caller
  const refused: Uninvited[] = []
  // Others may have used up what was left since all addresses were checked.
  const hasRoomFor =
    hasRoom(tx, invitationMailQuota, 'all', emails.length) &&
    hasRoom(tx, invitationQuota, user, emails.length) &&
    hasRoom(tx, mailQuota, user, emails.length)
  for (const email of emails) {
    // Checked only now, because mail sent by this request counts too for other spellings of the
    // same mailbox.
    if (!hasRoomFor) refused.push([email, 'Too many invitations were sent.', false])
    else if (!canMail(tx, email))
      refused.push([email, 'Too much mail was sent to this address recently.', false])
    else send(tx, caller, insert(tx, user, asked, email), email)
  }
  if (refused.length < emails.length) emitInvitesChanged(tx, user.id)
  return refused
}

/** The first spelling of each address: addresses that differ only in case are one account. */
function withoutRepeats(emails: readonly string[]): string[] {
  const spellings = new Map<string, string>()
  for (const email of emails) {
    const key = email.toLowerCase()
    if (!spellings.has(key)) spellings.set(key, email)
  }
  return [...spellings.values()]
}

/** Sends the mail of an invitation. @throws RATE_LIMIT_HIT */
function send(tx: Tx, caller: Caller, invitation: Invitation, email: string): void {
  requireDailyRoom(tx, 1)
  spend(tx, invitationMailQuota, 'all')
  queueMail(tx, caller.user, invitationMail(tx, invitation, email, caller.server.realmUrl))
}

/** @throws INVITATION_FAILED the daily limit is reached */
function requireDailyRoom(read: Read, mails: number): void {
  if (hasRoom(read, invitationMailQuota, 'all', mails)) return
  throw invitationFailed(sentSentence('Too many invitations were sent today.'), [], {
    daily_limit_reached: true,
  })
}

/**
 * The error that lists the addresses without an invitation.
 *
 * @source Zulip API, "Send invitations"
 */
export function invitationFailed(
  message: Sentence,
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

function insert(tx: Tx, user: User, asked: RequestedInvitation, email: string | null): Invitation {
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
 * The invitations that a user may manage: their own, and for administrators all that do not give a
 * higher role than theirs.
 */
export function listManageable(read: Read, user: User): Invitation[] {
  return listInvitations(read).filter((invitation) => canManage(user, invitation))
}

function canManage(user: User, { inviterId, role }: Invitation): boolean {
  if (inviterId === user.id) return true
  return user.role <= roles.admin && canGiveRole(user, role)
}

/**
 * @throws BAD_REQUEST "No such invitation": unknown, of the other kind, or not manageable by the
 *   user
 */
function accessInvitation(read: Read, user: User, id: number, isLink: boolean): Invitation {
  const invitation = findInvitation(read, id)
  const fits = invitation && (invitation.email === null) === isLink
  if (!fits || !canManage(user, invitation))
    throw badRequest(sentSentence('No such invitation'), { parameter: 'invite_id' })
  return invitation
}

/**
 * Revokes an invitation.
 *
 * @throws BAD_REQUEST "No such invitation"
 */
export function revokeInvitation(tx: Tx, caller: Caller, id: number, isLink: boolean): void {
  const invitation = accessInvitation(tx, caller.user, id, isLink)
  endInvitation(tx, invitation.id)
  emitInvitesChanged(tx, invitation.inviterId)
}

/**
 * Sends the mail of an invitation again, with the same link.
 *
 * @throws BAD_REQUEST "No such invitation"; no mail server; too many reminders
 * @throws INVITATION_FAILED the daily limit is reached
 * @throws RATE_LIMIT_HIT too much mail by the caller, or to the address
 */
export function resendInvitation(tx: Tx, caller: Caller, id: number): void {
  const invitation = accessInvitation(tx, caller.user, id, false)
  requireMail(caller)
  if (invitation.reminders >= mostReminders) {
    throw badRequest(sentSentence('This invitation has been sent too often.'), {
      parameter: 'invite_id',
    })
  }
  countReminder(tx, invitation)
  send(tx, caller, invitation, invitation.email ?? '')
}

function requireMail({ server }: Caller): void {
  if (canSendMail(server.config)) return
  throw badRequest(sentSentence('This server cannot send mail. Create an invitation link instead.'))
}
