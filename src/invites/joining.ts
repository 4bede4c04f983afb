import { findChannel } from '#channels/queries.ts'
import type { Context } from '#context.ts'
import { requireAllowedAddress } from '#domains/rules.ts'
import { ApiError } from '#errors.ts'
import { addMembers } from '#groups/actions.ts'
import { canAddMembers } from '#groups/managing.ts'
import { findGroup } from '#groups/queries.ts'
import { sendNotices, silently } from '#messages/notices.ts'
import { realmSetting } from '#realm/settings.ts'
import type { Read, Tx } from '#store/write.ts'
import { subscribe } from '#subscriptions/actions.ts'
import { createUser } from '#users/actions.ts'
import { findUser, roles, type User } from '#users/queries.ts'
import { requireFullName } from '#users/rules.ts'
import { greet } from '#welcome/actions.ts'
import { emitInvitesChanged } from './events.ts'
import {
  endInvitation,
  findInvitation,
  findInvitationByKey,
  type Invitation,
  listInvitationsTo,
} from './queries.ts'
import { mayGiveChannel, mayGiveRole } from './rules.ts'

/** What opens the door: an invitation, or that everybody may come in. */
export type Admission = Invitation | 'open'

/**
 * The invitation of a link, if somebody can join by it now: it works, and whoever made it still has
 * an account with at least the rights that it gives.
 */
export function findAdmission(read: Read, key: string): Invitation | undefined {
  return admitted(read, findInvitationByKey(read, key))
}

/** The same by the invitation's id. */
export function findAdmissionById(read: Read, id: number): Invitation | undefined {
  return admitted(read, findInvitation(read, id))
}

function admitted(read: Read, invitation: Invitation | undefined): Invitation | undefined {
  const inviter = invitation && findUser(read, invitation.inviterId)
  if (!invitation || !inviter?.isActive || !mayGiveRole(inviter, invitation.role)) return undefined
  return invitation
}

/** Whether people may join without an invitation. */
export function isOpenToAll(read: Read): boolean {
  return !realmSetting(read, 'invite_required')
}

/** Who wants in; the password is hashed before the write. */
export interface Newcomer {
  readonly email: string
  readonly fullName: string
  readonly passwordHash: string
}

/**
 * Makes an account by an invitation, or where everybody may join, and gives it all that belongs to
 * it. An invitation to one address ends with it.
 *
 * @throws BAD_REQUEST an address that is taken or not allowed, a name that is taken where names are
 *   unique; NOT_FOUND the door was closed in the meantime
 */
export function join(tx: Tx, server: Context, by: Admission, newcomer: Newcomer): User {
  const invitation = by === 'open' ? undefined : findAdmission(tx, by.key)
  if (by === 'open' ? !isOpenToAll(tx) : !invitation) throw closed()
  requireAllowedAddress(tx, newcomer.email)
  const user = createUser(tx, {
    email: newcomer.email,
    fullName: requireFullName(tx, newcomer.fullName),
    passwordHash: newcomer.passwordHash,
    role: invitation?.role ?? roles.member,
    joinDefaultChannels: invitation?.joinDefaultChannels ?? true,
  })
  if (invitation) giveAll(tx, invitation, user)
  endOthers(tx, user)
  greet(tx, server, user, invitation?.welcomeText)
  if (invitation?.tellInviter) tellInviter(tx, server, invitation, user)
  return user
}

function closed(): ApiError {
  return new ApiError('NOT_FOUND', 'This invitation does not work any more.')
}

/** What is gone by now, or not the inviter's to give any more, is left out. */
function giveAll(tx: Tx, { inviterId, channelIds, groupIds }: Invitation, user: User): void {
  const inviter = findUser(tx, inviterId)
  if (!inviter) return
  const channels = channelIds.flatMap((id) => findChannel(tx, id) ?? [])
  const given = channels.filter(
    (channel) => !channel.isArchived && mayGiveChannel(tx, inviter, channel),
  )
  subscribe(tx, given, [user])
  for (const id of groupIds) {
    const group = findGroup(tx, id)
    if (!group || group.deactivated || !canAddMembers(tx, inviter, group)) continue
    addMembers(tx, group, [user.id])
  }
}

/** Who is here needs no invitation any more, this one or another. */
function endOthers(tx: Tx, user: User): void {
  for (const { id, inviterId } of listInvitationsTo(tx, user.email)) {
    endInvitation(tx, id)
    emitInvitesChanged(tx, inviterId)
  }
}

function tellInviter(tx: Tx, { realmUrl }: Context, { inviterId }: Invitation, user: User): void {
  const inviter = findUser(tx, inviterId)
  if (!inviter) return
  const content = `${silently(user)} accepted your invitation and has joined.`
  sendNotices(tx, [inviter], { author: inviter, content, realmUrl })
}
