import { createUser } from '#features/access/accounts/actions.ts'
import { emitInvitesChanged } from '#features/access/invites/events.ts'
import {
  endInvitation,
  findInvitation,
  findInvitationByKey,
  type Invitation,
  listInvitationsTo,
} from '#features/access/invites/queries.ts'
import { canGiveChannel, canGiveRole } from '#features/access/invites/rules.ts'
import { subscribe } from '#features/channels/subscriptions/actions.ts'
import { findChannel } from '#features/foundation/channels/queries.ts'
import { requireAllowedAddress } from '#features/foundation/domains/rules.ts'
import { findGroup } from '#features/foundation/groups/queries.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { userLanguage } from '#features/foundation/users/language.queries.ts'
import { findUser, roles, type User } from '#features/foundation/users/queries.ts'
import { requireMendedName } from '#features/foundation/users/rules.ts'
import { sendNotices } from '#features/messaging/messages/notices.actions.ts'
import { silentMention } from '#features/messaging/messages/quoting.ts'
import { addMembers } from '#features/people/group-administration/actions.ts'
import { canAddMembers } from '#features/people/group-administration/managing.actions.ts'
import { startOnboarding } from '#features/people/onboarding/actions.ts'
import { welcomeNewcomer } from '#features/people/welcome/actions.ts'
import type { Context } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'

/** An invitation, or `open` if anyone may join. */
export type Admission = Invitation | 'open'

/**
 * Finds the invitation of a link if it is usable now: it is valid, and its inviter is active and
 * may still give its role.
 */
export function findAdmission(read: Read, key: string): Invitation | undefined {
  return usable(read, findInvitationByKey(read, key))
}

/** Finds a usable invitation by its ID. */
export function findAdmissionById(read: Read, id: number): Invitation | undefined {
  return usable(read, findInvitation(read, id))
}

function usable(read: Read, invitation: Invitation | undefined): Invitation | undefined {
  const inviter = invitation && findUser(read, invitation.inviterId)
  if (!invitation || !inviter?.isActive || !canGiveRole(inviter, invitation.role)) return undefined
  return invitation
}

/** Whether people may join without an invitation. */
export function isOpenToAll(read: Read): boolean {
  return !realmSetting(read, 'invite_required')
}

/** A person who joins; their password is hashed before the write. */
export interface Newcomer {
  readonly email: string
  /** As `NewUser.isEmailVerified`. */
  readonly isEmailVerified: boolean
  readonly fullName: string
  /** Without it, they log in with the account of a provider. */
  readonly passwordHash?: string | undefined
}

/**
 * Creates an account, by an invitation or if anyone may join, with the invitation's channels and
 * groups. Ends all invitations sent to the address.
 *
 * @throws BAD_REQUEST a taken or forbidden address, or a taken name where names must be unique
 * @throws NOT_FOUND the invitation ended, or the organization closed, in the meantime
 */
export function join(tx: Tx, server: Context, by: Admission, newcomer: Newcomer): User {
  const invitation = by === 'open' ? undefined : findAdmission(tx, by.key)
  if (by === 'open' ? !isOpenToAll(tx) : !invitation) throw invitationGone()
  requireAllowedAddress(tx, newcomer.email)
  const user = createUser(tx, {
    email: newcomer.email,
    isEmailVerified: newcomer.isEmailVerified,
    fullName: requireMendedName(tx, newcomer.fullName),
    passwordHash: newcomer.passwordHash,
    role: invitation?.role ?? roles.member,
    joinDefaultChannels: invitation?.joinDefaultChannels ?? true,
  })
  startOnboarding(tx, user)
  if (invitation) applyInvitation(tx, invitation, user)
  endInvitationsTo(tx, user)
  welcomeNewcomer(tx, server, user, invitation?.welcomeText)
  if (invitation?.tellInviter) notifyInviter(tx, server, invitation, user)
  return user
}

function invitationGone(): ApiError {
  return new ApiError('NOT_FOUND', sentSentence('This invitation is no longer valid.'))
}

/** Skips channels and groups that are gone, or that the inviter may no longer give. */
function applyInvitation(
  tx: Tx,
  { inviterId, channelIds, groupIds }: Invitation,
  user: User,
): void {
  const inviter = findUser(tx, inviterId)
  if (!inviter) return
  const channels = channelIds.flatMap((id) => findChannel(tx, id) ?? [])
  const given = channels.filter(
    (channel) => !channel.isArchived && canGiveChannel(tx, inviter, channel),
  )
  subscribe(tx, given, [user])
  for (const id of groupIds) {
    const group = findGroup(tx, id)
    if (!group || group.deactivated || !canAddMembers(tx, inviter, group)) continue
    addMembers(tx, group, [user.id])
  }
}

/** A user with an account needs no further invitations. */
function endInvitationsTo(tx: Tx, user: User): void {
  for (const { id, inviterId } of listInvitationsTo(tx, user.email)) {
    endInvitation(tx, id)
    emitInvitesChanged(tx, inviterId)
  }
}

function notifyInviter(tx: Tx, { realmUrl }: Context, { inviterId }: Invitation, user: User): void {
  const inviter = findUser(tx, inviterId)
  if (!inviter) return
  const content = userLanguage(tx, inviter).t('{name} accepted your invitation and has joined.', {
    name: silentMention(user),
  })
  sendNotices(tx, [inviter], { author: inviter, content, realmUrl })
}
