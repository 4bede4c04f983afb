import { emitBotAdministrators, emitVisibleBots } from '#features/foundation/bots/events.ts'
import { listBots } from '#features/foundation/bots/queries.ts'
import { canAccessMetadata } from '#features/foundation/channels/access.ts'
import { defaultChannelsEvent } from '#features/foundation/channels/events.ts'
import {
  type Channel,
  listChannels,
  listDefaultChannels,
} from '#features/foundation/channels/queries.ts'
import { emitChannelVisibility } from '#features/foundation/channels/visibility.actions.ts'
import { groupMembersEvent } from '#features/foundation/groups/events.ts'
import { listGroupsOf } from '#features/foundation/groups/queries.ts'
import { canAccessAllUsers, canSeeEmail } from '#features/foundation/users/access.ts'
import { emitUserUpdate, userUpdateEvent } from '#features/foundation/users/events.ts'
import {
  listUsers,
  type Role,
  roles,
  type User,
  updateUser,
} from '#features/foundation/users/queries.ts'
import { trackStars } from '#features/messaging/messages/flags/stars.actions.ts'
import type { Queues } from '#platform/events/queues.ts'
import type { Tx } from '#platform/store/store.ts'

/**
 * Changes a user's role and so their system groups. Emits the channels and addresses that they gain
 * or lose; closes their queues if the set of users that they may see changes. Lowers the roles of
 * their bots to this one: a bot never has a higher role than its owner.
 */
export function changeRole(
  tx: Tx,
  queues: Pick<Queues, 'closeAllOf' | 'liveUsers'>,
  before: User,
  role: Role,
): void {
  const stars = trackStars(tx, [before.id])
  const user = updateUser(tx, before.id, { role })
  emitUserUpdate(tx, user, { role })
  if (user.isActive) {
    const [left, joined] = [listGroupsOf(tx, before), listGroupsOf(tx, user)]
    emitGroupMemberships(tx, 'remove_members', user, without(left, joined))
    emitGroupMemberships(tx, 'add_members', user, without(joined, left))
  }
  if (canAccessAllUsers(tx, before) !== canAccessAllUsers(tx, user)) {
    queues.closeAllOf(tx, user.id)
  } else if (queues.liveUsers().has(user.id)) {
    emitChannels(tx, before, user)
    emitDefaultChannelsTo(tx, before, user)
    emitAddresses(tx, before, user)
    emitVisibleBots(tx, before, user)
    stars.emitChanges()
  }
  if (user.botType !== null) emitBotAdministrators(tx, before, user)
  for (const bot of listBots(tx)) {
    if (bot.botOwnerId === user.id && bot.role < role) changeRole(tx, queues, bot, role)
  }
}

function without(ids: readonly number[], others: readonly number[]): number[] {
  return ids.filter((id) => !others.includes(id))
}

function emitGroupMemberships(
  tx: Tx,
  op: 'add_members' | 'remove_members',
  user: User,
  groupIds: readonly number[],
): void {
  for (const id of groupIds) tx.emit(groupMembersEvent(op, id, [user.id]), () => true)
}

function emitChannels(tx: Tx, before: User, user: User): void {
  const known = (who: User, channel: Channel) =>
    new Set(canAccessMetadata(tx, who, channel) ? [user.id] : [])
  for (const channel of listChannels(tx)) {
    emitChannelVisibility(tx, channel, known(before, channel), known(user, channel))
  }
}

/** Guests do not see the default channels. */
function emitDefaultChannelsTo(tx: Tx, before: User, user: User): void {
  const isGuest = user.role === roles.guest
  if (isGuest === (before.role === roles.guest)) return
  const ids = isGuest ? [] : listDefaultChannels(tx).map(({ id }) => id)
  tx.emit(defaultChannelsEvent(ids), [user.id])
}

function emitAddresses(tx: Tx, before: User, user: User): void {
  for (const other of listUsers(tx)) {
    const sees = canSeeEmail(tx, user, other)
    if (sees === canSeeEmail(tx, before, other)) continue
    const changes = { delivery_email: sees ? other.email : null }
    tx.emit(userUpdateEvent(other.id, changes), [user.id])
  }
}
