import { canAccessMetadata } from '#features/foundation/channels/access.ts'
import {
  aboutChannel,
  channelCreateEvent,
  channelDeleteEvent,
} from '#features/foundation/channels/events.ts'
import { channelJson, channelWriter, plainChannel } from '#features/foundation/channels/json.ts'
import { channelReturned } from '#features/foundation/channels/occasions.ts'
import {
  type Channel,
  findChannel,
  isSubscribed,
  subscriberIds,
} from '#features/foundation/channels/queries.ts'
import {
  activateSubscription,
  allSubscriberIds,
  closeSpan,
  deactivateSubscription,
  findSubscription,
  listColors,
  listSubscriptions,
  openSpan,
} from '#features/foundation/channels/subscriptions.queries.ts'
import { newestMessageId } from '#features/foundation/core/queries.ts'
import { nextMoment } from '#features/foundation/own-history/paths.queries.ts'
import { markAllRead, startHistory } from '#features/foundation/read-state/actions.ts'
import { unreadIds } from '#features/foundation/read-state/queries.ts'
import {
  type SharedMembership,
  trackGuestVisibility,
} from '#features/foundation/users/guest-visibility.actions.ts'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import { flagAddEvent } from '#features/messaging/messages/flags/events.ts'
import { trackStars } from '#features/messaging/messages/flags/stars.actions.ts'
import { recheckPushes } from '#features/messaging/notifications/revoking.actions.ts'
import { isExtended } from '#platform/events/extended.ts'
import { emitPersonal } from '#platform/events/personal.ts'
import type { QueueTraits } from '#platform/events/types.ts'
import type { Tx } from '#platform/store/store.ts'
import { freeColor } from './colors.ts'
import { peerEvent, subscriptionAddEvent, subscriptionRemoveEvent } from './events.ts'
import { personalJson, subscribersJson } from './json.ts'

/** The result of subscribing users to one channel. */
export interface SubscribeResult {
  readonly channel: Channel
  readonly added: readonly User[]
  /** Users who were already subscribed. */
  readonly already: readonly User[]
}

/**
 * Subscribes users to channels. Emits `stream`/`create` to users who could not see a channel
 * before, `subscription`/`add` to the new subscribers, and `peer_add` to the other users who can
 * see the channel. The caller checks permission.
 *
 * @param colors by channel id; the default is the user's next free color
 * @param used the colors that users had before, by user id, as far as they are known; others are
 *   added to it
 */
export function subscribe(
  tx: Tx,
  channels: readonly Channel[],
  users: readonly User[],
  colors: ReadonlyMap<number, string> = new Map(),
  used: UsedColors = new Map(),
): SubscribeResult[] {
  const fromMessage = nextMoment(tx)
  const visibility = trackGuestVisibility(tx, () =>
    channels.map((channel) => sharedMembership(tx, channel, users)),
  )
  const stars = trackStars(tx, idSet(users), channels)
  const joins = channels.map((channel) => {
    const color = colors.get(channel.id)
    return join(tx, channel, users, fromMessage, color, used)
  })
  visibility.emitChanges()
  for (const { channel, discovered } of joins) {
    if (discovered.length === 0) continue
    tx.emit(aboutChannel(channel, channelCreateEvent(channelJson(tx, channel))), discovered)
    tx.announce(channelReturned, { channel, isViewer: (userId) => discovered.includes(userId) })
  }
  emitSubscriptions(tx, joins)
  for (const { channel, added } of joins) emitPeers(tx, 'peer_add', channel, added)
  stars.emitChanges()
  return joins
}

/** The subscribers of a channel together with the users who join or leave it. */
function sharedMembership(tx: Tx, channel: Channel, users: readonly User[]): SharedMembership {
  const changing = users.map(({ id }) => id)
  return { members: [...new Set([...subscriberIds(tx, channel.id), ...changing])], changing }
}

/** The colors of subscriptions, by user id. */
export type UsedColors = Map<number, Set<string>>

/** Read once a user: there may be a thousand channels. */
function colorsOf(tx: Tx, userId: number, used: UsedColors): Set<string> {
  let own = used.get(userId)
  if (!own) {
    own = listColors(tx, userId)
    used.set(userId, own)
  }
  return own
}

interface Join extends SubscribeResult {
  /** Ids of the users who could not see the channel before. */
  readonly discovered: number[]
}

function join(
  tx: Tx,
  channel: Channel,
  users: readonly User[],
  fromMessage: number,
  askedColor: string | undefined,
  used: UsedColors,
): Join {
  const added: User[] = []
  const already: User[] = []
  const discovered: number[] = []
  const pushNotifications = channel.defaultPushNotifications || null
  for (const user of users) {
    const userId = user.id
    const couldSee = canAccessMetadata(tx, user, channel)
    const own = colorsOf(tx, userId, used)
    const color = askedColor ?? freeColor(own)
    const row = { userId, channelId: channel.id, color, pushNotifications }
    if (!activateSubscription(tx, row)) {
      already.push(user)
      continue
    }
    if (!couldSee) discovered.push(userId)
    own.add(color)
    openSpan(tx, userId, channel.id, fromMessage)
    startHistory(tx, userId, channel.recipientId, fromMessage)
    added.push(user)
  }
  return { channel, added, already, discovered }
}

/** Emits one `subscription`/`add` with all channels to each new subscriber. */
function emitSubscriptions(tx: Tx, joins: readonly Join[]): void {
  const written = channelWriter(tx, true)
  const forms = joins.map(({ channel, added }) => ({
    channel,
    added: new Set(added.map(({ id }) => id)),
    json: once(() => written(channel)),
    subscribers: once(() => [...subscriberIds(tx, channel.id)]),
  }))
  function read(userId: number) {
    const own = forms.flatMap(({ channel, added, json, subscribers }) => {
      const subscription = added.has(userId) && findSubscription(tx, userId, channel.id)
      if (!subscription) return []
      const member = { ...json(), ...personalJson(subscription) }
      return [{ channel, member, subscribers }]
    })
    return own.length > 0 ? own : undefined
  }
  emitPersonal(tx, 'subscription', read, (own, traits) => {
    const visible = own.filter(({ channel }) => clientCanSee(traits, channel))
    if (visible.length === 0) return undefined
    return subscriptionAddEvent(
      visible.map(({ channel, member, subscribers }) => ({
        ...(isExtended(traits) ? member : plainChannel(member)),
        ...(traits.includeSubscribers === 'true'
          ? { subscribers: subscribers() }
          : subscribersJson(tx, channel, traits.includeSubscribers)),
      })),
    )
  })
}

/** The result of unsubscribing users from one channel. */
export interface UnsubscribeResult {
  readonly channel: Channel
  readonly removed: readonly User[]
  /** Users who were not subscribed. */
  readonly absent: readonly User[]
}

/**
 * Unsubscribes users from channels and marks their unread messages there as read. Emits
 * `subscription`/`remove` to the former subscribers, `peer_remove` to the other users who can see
 * the channel, and `stream`/`delete` to users who can no longer see it. The caller checks
 * permission.
 */
export function unsubscribe(
  tx: Tx,
  channels: readonly Channel[],
  users: readonly User[],
): UnsubscribeResult[] {
  const untilMessage = nextMoment(tx)
  const leaves = channels.map((channel): UnsubscribeResult => {
    const removed = new Set(users.filter(({ id }) => isSubscribed(tx, id, channel.id)))
    return { channel, removed: [...removed], absent: users.filter((user) => !removed.has(user)) }
  })
  emitUnreadAsRead(tx, leaves)
  const stars = trackStars(tx, idSet(users), channels)
  const visibility = trackGuestVisibility(tx, () =>
    leaves.map(({ channel, removed }) => sharedMembership(tx, channel, removed)),
  )
  for (const { channel, removed } of leaves) {
    for (const { id } of removed) {
      deactivateSubscription(tx, id, channel.id)
      recheckPushes(tx, id)
      closeSpan(tx, id, channel.id, untilMessage)
    }
  }
  emitUnsubscribed(tx, leaves)
  for (const { channel, removed } of leaves) {
    emitPeers(tx, 'peer_remove', channel, removed)
    const lost = removed.filter((user) => !canAccessMetadata(tx, user, channel))
    if (lost.length === 0) continue
    const ids = lost.map(({ id }) => id)
    tx.emit(aboutChannel(channel, channelDeleteEvent(channel.id)), ids)
  }
  visibility.emitChanges()
  stars.emitChanges()
  return leaves
}

/**
 * Marks all messages of a channel that is being archived as read, also for deactivated subscribers.
 * The subscriptions stay, in case the channel is unarchived.
 */
export function markArchivedAsRead(tx: Tx, channel: Channel): void {
  const ids = allSubscriberIds(tx, channel.id)
  const removed = ids.flatMap((id) => findUser(tx, id) ?? [])
  emitUnreadAsRead(tx, [{ channel, removed, absent: [] }])
  const upTo = newestMessageId(tx)
  for (const id of ids) {
    markAllRead(tx, id, channel.recipientId, upTo)
    recheckPushes(tx, id)
  }
}

/**
 * Emits the subscriptions of an unarchived channel to clients that do not support archived
 * channels, for which it is new: `subscription`/`add` to subscribers, `peer_add` to other users who
 * can see it.
 */
export function emitUnarchived(tx: Tx, channel: Channel): void {
  const json = once(() => channelJson(tx, channel))
  function read(userId: number) {
    const subscription = findSubscription(tx, userId, channel.id)
    return subscription?.isActive ? { ...json(), ...personalJson(subscription) } : undefined
  }
  emitPersonal(tx, 'subscription', read, (member, traits) => {
    if (traits.capabilities.has('archived_channels')) return undefined
    const json = isExtended(traits) ? member : plainChannel(member)
    const subscribers = subscribersJson(tx, channel, traits.includeSubscribers)
    return subscriptionAddEvent([{ ...json, ...subscribers }])
  })
  const peers = peerEvent('peer_add', channel.id, subscriberIds(tx, channel.id))
  if (peers.user_ids.length === 0) return
  tx.emit(
    {
      type: 'subscription',
      variant: ({ traits }) => (traits.capabilities.has('archived_channels') ? undefined : ''),
      build: () => peers,
    },
    (userId) => !isSubscribed(tx, userId, channel.id) && canSee(tx, userId, channel),
  )
}

/** Emits the subscribers of a channel to users who can now see it. */
export function emitSubscribers(tx: Tx, channel: Channel, userIds: readonly number[]): void {
  const event = peerEvent('peer_add', channel.id, subscriberIds(tx, channel.id))
  if (event.user_ids.length > 0) tx.emit(aboutChannel(channel, event), userIds)
}

/** Emits to each user who leaves channels that their unread messages there are read. */
function emitUnreadAsRead(tx: Tx, leaves: readonly UnsubscribeResult[]): void {
  const sets = leaves.map(({ channel, removed }) => ({ channel, removed: idSet(removed) }))
  function read(userId: number) {
    const ids = sets.flatMap(({ channel, removed }) =>
      removed.has(userId) ? unreadIds(tx, userId, { recipientId: channel.recipientId }) : [],
    )
    return ids.length > 0 ? ids.sort((a, b) => a - b) : undefined
  }
  emitPersonal(tx, 'update_message_flags', read, (ids) => flagAddEvent('read', ids, false))
}

function emitUnsubscribed(tx: Tx, leaves: readonly UnsubscribeResult[]): void {
  const sets = leaves.map(({ channel, removed }) => ({ channel, removed: idSet(removed) }))
  function read(userId: number) {
    const own = sets.filter(({ removed }) => removed.has(userId)).map(({ channel }) => channel)
    return own.length > 0 ? own : undefined
  }
  emitPersonal(tx, 'subscription', read, (own, traits) => {
    const visible = own.filter((channel) => clientCanSee(traits, channel))
    return visible.length > 0 ? subscriptionRemoveEvent(visible) : undefined
  })
}

/**
 * Emits `peer_remove` for a deactivated user in all channels, including archived ones. The
 * subscriptions stay, in case the user is reactivated.
 *
 * @source Zulip API, "Get events", type "subscription", op "peer_remove" (feature levels 377, 428)
 */
export function emitDeactivatedSubscriber(tx: Tx, user: User): void {
  emitPeerOfAll(tx, 'peer_remove', user)
}

/** Emits `peer_add` for a reactivated user in all channels. */
export function emitReactivatedSubscriber(tx: Tx, user: User): void {
  emitPeerOfAll(tx, 'peer_add', user)
}

function emitPeerOfAll(tx: Tx, op: 'peer_add' | 'peer_remove', user: User): void {
  for (const { channelId, isActive } of listSubscriptions(tx, user.id)) {
    const channel = isActive ? findChannel(tx, channelId) : undefined
    if (channel) emitPeers(tx, op, channel, [user])
  }
}

/**
 * Emits the users who joined or left a channel to the other users who can see it. Users who left
 * get the others who left with them; users who joined have all subscribers from `add`.
 */
function emitPeers(
  tx: Tx,
  op: 'peer_add' | 'peer_remove',
  channel: Channel,
  users: readonly User[],
): void {
  if (users.length === 0) return
  const changed = idSet(users)
  const userIds = [...changed].sort((a, b) => a - b)
  const event = aboutChannel(channel, peerEvent(op, channel.id, userIds))
  tx.emit(event, (userId) => !changed.has(userId) && canSee(tx, userId, channel))
  if (op === 'peer_add' || users.length === 1) return
  emitPersonal(
    tx,
    'subscription',
    (userId) => (changed.has(userId) && canSee(tx, userId, channel) ? userId : undefined),
    (self, traits) =>
      clientCanSee(traits, channel)
        ? peerEvent(
            op,
            channel.id,
            userIds.filter((id) => id !== self),
          )
        : undefined,
  )
}

function canSee(tx: Tx, userId: number, channel: Channel): boolean {
  const user = findUser(tx, userId)
  return user !== undefined && canAccessMetadata(tx, user, channel)
}

/** Clients that do not support archived channels do not see them. */
function clientCanSee(traits: QueueTraits, channel: Channel): boolean {
  return !channel.isArchived || traits.capabilities.has('archived_channels')
}

function idSet(users: readonly User[]): ReadonlySet<number> {
  return new Set(users.map(({ id }) => id))
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
