import { emitAdministrators, tellOfBots } from '#bots/events.ts'
import { canAccessMetadata } from '#channels/access.ts'
import { defaultChannelsEvent } from '#channels/events.ts'
import { type Channel, listChannels, listDefaultChannels } from '#channels/queries.ts'
import { tellOfSight } from '#channels/witnesses.ts'
import type { Queues } from '#events/queues.ts'
import { groupMembersEvent } from '#groups/events.ts'
import { listGroupsOf } from '#groups/queries.ts'
import type { Tx } from '#store/write.ts'
import { canAccessAllUsers, canSeeEmail } from '#users/access.ts'
import { emitUserUpdate, userUpdateEvent } from '#users/events.ts'
import { listUsers, roles, type User, updateUser } from '#users/queries.ts'

/**
 * Gives a user another role: they leave a system group and join another. They are told which
 * channels and addresses come into their view and which leave it; whose view of people changes
 * altogether has to start over.
 */
export function changeRole(
  tx: Tx,
  queues: Pick<Queues, 'closeAllOf' | 'liveUsers'>,
  before: User,
  role: number,
): void {
  const user = updateUser(tx, before.id, { role })
  emitUserUpdate(tx, user, { role })
  if (user.isActive) {
    const [left, joined] = [listGroupsOf(tx, before), listGroupsOf(tx, user)]
    tellOfGroups(tx, 'remove_members', user, without(left, joined))
    tellOfGroups(tx, 'add_members', user, without(joined, left))
  }
  if (canAccessAllUsers(tx, before) !== canAccessAllUsers(tx, user)) {
    tx.afterCommit(() => queues.closeAllOf(user.id))
  } else if (queues.liveUsers().has(user.id)) {
    tellOfChannels(tx, before, user)
    tellOfDefaults(tx, before, user)
    tellOfAddresses(tx, before, user)
    tellOfBots(tx, before, user)
  }
  if (user.botType !== null) emitAdministrators(tx, before, user)
}

function without(ids: readonly number[], others: readonly number[]): number[] {
  return ids.filter((id) => !others.includes(id))
}

function tellOfGroups(
  tx: Tx,
  op: 'add_members' | 'remove_members',
  user: User,
  groupIds: readonly number[],
): void {
  for (const id of groupIds) tx.emit(groupMembersEvent(op, id, [user.id]), () => true)
}

function tellOfChannels(tx: Tx, before: User, user: User): void {
  const known = (who: User, channel: Channel) =>
    new Set(canAccessMetadata(tx, who, channel) ? [user.id] : [])
  for (const channel of listChannels(tx)) {
    tellOfSight(tx, channel, known(before, channel), known(user, channel))
  }
}

/** Guests do not know which channels new users start with. */
function tellOfDefaults(tx: Tx, before: User, user: User): void {
  const isGuest = user.role === roles.guest
  if (isGuest === (before.role === roles.guest)) return
  const ids = isGuest ? [] : listDefaultChannels(tx).map(({ id }) => id)
  tx.emit(defaultChannelsEvent(ids), [user.id])
}

function tellOfAddresses(tx: Tx, before: User, user: User): void {
  for (const other of listUsers(tx)) {
    const sees = canSeeEmail(tx, user, other)
    if (sees === canSeeEmail(tx, before, other)) continue
    const changes = { delivery_email: sees ? other.email : null }
    tx.emit(userUpdateEvent(other.id, changes), [user.id])
  }
}
