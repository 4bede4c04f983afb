import { canAccessMetadata } from '#channels/access.ts'
import { aboutChannel, channelCreateEvent, channelDeleteEvent } from '#channels/events.ts'
import { channelJson } from '#channels/json.ts'
import { type Channel, findChannel, isSubscribed, subscriberIds } from '#channels/queries.ts'
import { emitPersonal } from '#events/personal.ts'
import type { QueueTraits } from '#events/types.ts'
import { flagAddEvent } from '#messages/flags/events.ts'
import { newestMessageId } from '#messages/queries.ts'
import { markAllRead, startHistory } from '#read-state/actions.ts'
import { unreadIds } from '#read-state/queries.ts'
import type { Tx } from '#store/write.ts'
import { findUser, type User } from '#users/queries.ts'
import { type Circle, watchSight } from '#users/sight.ts'
import { freeColor } from './colors.ts'
import { peerEvent, subscriptionAddEvent, subscriptionRemoveEvent } from './events.ts'
import { personalJson, subscribersJson } from './json.ts'
import {
  activateSubscription,
  closeSpan,
  deactivateSubscription,
  findSubscription,
  listColors,
  listHolders,
  listSubscriptions,
  openSpan,
} from './queries.ts'

/** What subscribing did in one channel. */
export interface Joined {
  readonly channel: Channel
  readonly added: readonly User[]
  readonly already: readonly User[]
}

/**
 * Subscribes users to channels and tells everybody concerned: `stream`/`create` to those who now
 * see a channel for the first time, `subscription`/`add` to the subscribers, `peer_add` to the
 * others who see the channel. Permission is the caller's to ask.
 *
 * @param colors by channel id, where the users do not get the next free one
 */
export function subscribe(
  tx: Tx,
  channels: readonly Channel[],
  users: readonly User[],
  colors: ReadonlyMap<number, string> = new Map(),
): Joined[] {
  const fromMessage = newestMessageId(tx) + 1
  const sight = watchSight(tx, () => channels.map((channel) => circleOf(tx, channel, users)))
  const joins = channels.map((channel) => join(tx, channel, users, fromMessage, colors))
  sight.tell()
  for (const { channel, discovered } of joins) {
    if (discovered.length === 0) continue
    tx.emit(aboutChannel(channel, channelCreateEvent(channelJson(tx, channel))), discovered)
  }
  tellSubscribers(tx, joins)
  for (const { channel, added } of joins) tellPeers(tx, 'peer_add', channel, added)
  return joins
}

/** Those who are in a channel, and those who come or go. */
function circleOf(tx: Tx, channel: Channel, users: readonly User[]): Circle {
  const changing = users.map(({ id }) => id)
  return { members: [...new Set([...subscriberIds(tx, channel.id), ...changing])], changing }
}

interface Join extends Joined {
  /** Ids of those who did not know of the channel before. */
  readonly discovered: number[]
}

function join(
  tx: Tx,
  channel: Channel,
  users: readonly User[],
  fromMessage: number,
  colors: ReadonlyMap<number, string>,
): Join {
  const added: User[] = []
  const already: User[] = []
  const discovered: number[] = []
  const pushNotifications = channel.defaultPushNotifications || null
  for (const user of users) {
    const userId = user.id
    if (isSubscribed(tx, userId, channel.id)) {
      already.push(user)
      continue
    }
    if (!canAccessMetadata(tx, user, channel)) discovered.push(userId)
    const color = colors.get(channel.id) ?? freeColor(listColors(tx, userId))
    activateSubscription(tx, { userId, channelId: channel.id, color, pushNotifications })
    openSpan(tx, userId, channel.id, fromMessage)
    startHistory(tx, userId, channel.recipientId, fromMessage)
    added.push(user)
  }
  return { channel, added, already, discovered }
}

/** One `subscription`/`add` for each new subscriber, with all of the channels. */
function tellSubscribers(tx: Tx, joins: readonly Join[]): void {
  const forms = joins.map(({ channel, added }) => ({
    channel,
    added: new Set(added.map(({ id }) => id)),
    json: once(() => channelJson(tx, channel)),
    subscribers: once(() => subscriberIds(tx, channel.id)),
  }))
  function read(userId: number) {
    const own = forms.flatMap(({ channel, added, json, subscribers }) => {
      const subscription = added.has(userId) && findSubscription(tx, userId, channel.id)
      if (!subscription) return []
      const member = { ...json(), ...personalJson(subscription) }
      return [{ channel, member, subscribers: subscribers() }]
    })
    return own.length > 0 ? own : undefined
  }
  emitPersonal(tx, 'subscription', read, (own, traits) => {
    const known = own.filter(({ channel }) => knows(traits, channel))
    if (known.length === 0) return undefined
    return subscriptionAddEvent(
      known.map(({ channel, member, subscribers }) => ({
        ...member,
        ...(traits.includeSubscribers === 'true'
          ? { subscribers }
          : subscribersJson(tx, channel, traits.includeSubscribers)),
      })),
    )
  })
}

/** What unsubscribing did in one channel. */
export interface Left {
  readonly channel: Channel
  readonly removed: readonly User[]
  /** Those who were not subscribed. */
  readonly absent: readonly User[]
}

/**
 * Ends subscriptions and tells everybody concerned: unread messages become read,
 * `subscription`/`remove` goes to the former subscribers, `peer_remove` to the others who see the
 * channel, `stream`/`delete` to those who do not any more. Permission is the caller's to ask.
 */
export function unsubscribe(tx: Tx, channels: readonly Channel[], users: readonly User[]): Left[] {
  const untilMessage = newestMessageId(tx) + 1
  const leaves = channels.map((channel): Left => {
    const here = new Set(users.filter(({ id }) => isSubscribed(tx, id, channel.id)))
    return { channel, removed: [...here], absent: users.filter((user) => !here.has(user)) }
  })
  tellUnread(tx, leaves)
  const sight = watchSight(tx, () =>
    leaves.map(({ channel, removed }) => circleOf(tx, channel, removed)),
  )
  for (const { channel, removed } of leaves) {
    for (const { id } of removed) {
      deactivateSubscription(tx, id, channel.id)
      closeSpan(tx, id, channel.id, untilMessage)
    }
  }
  tellUnsubscribed(tx, leaves)
  for (const { channel, removed } of leaves) {
    tellPeers(tx, 'peer_remove', channel, removed)
    const lost = removed.filter((user) => !canAccessMetadata(tx, user, channel))
    if (lost.length === 0) continue
    const ids = lost.map(({ id }) => id)
    tx.emit(aboutChannel(channel, channelDeleteEvent(channel.id)), ids)
  }
  sight.tell()
  return leaves
}

/**
 * An archived channel is as good as left: what its subscribers did not read counts as read, also
 * for those whose account is deactivated and may come back.
 * They stay subscribed for the day of its return.
 */
export function readArchived(tx: Tx, channel: Channel): void {
  const ids = listHolders(tx, channel.id)
  const removed = ids.flatMap((id) => findUser(tx, id) ?? [])
  tellUnread(tx, [{ channel, removed, absent: [] }])
  const upTo = newestMessageId(tx)
  for (const id of ids) markAllRead(tx, id, channel.recipientId, upTo)
}

/**
 * For clients that know no archived channels, one that returns is new: its subscribers learn of
 * their subscription, others of its subscribers.
 */
export function tellOfReturn(tx: Tx, channel: Channel): void {
  const json = once(() => channelJson(tx, channel))
  function read(userId: number) {
    const subscription = findSubscription(tx, userId, channel.id)
    return subscription?.isActive ? { ...json(), ...personalJson(subscription) } : undefined
  }
  emitPersonal(tx, 'subscription', read, (member, { capabilities, includeSubscribers }) =>
    capabilities.has('archived_channels')
      ? undefined
      : subscriptionAddEvent([{ ...member, ...subscribersJson(tx, channel, includeSubscribers) }]),
  )
  const peers = peerEvent('peer_add', channel.id, subscriberIds(tx, channel.id))
  if (peers.user_ids.length === 0) return
  tx.emit(
    {
      type: 'subscription',
      variant: ({ traits }) => (traits.capabilities.has('archived_channels') ? undefined : ''),
      build: () => peers,
    },
    (userId) => !isSubscribed(tx, userId, channel.id) && sees(tx, userId, channel),
  )
}

/** Tells those for whom a channel appeared who is subscribed to it. */
export function introducePeers(tx: Tx, channel: Channel, userIds: readonly number[]): void {
  const event = peerEvent('peer_add', channel.id, subscriberIds(tx, channel.id))
  if (event.user_ids.length > 0) tx.emit(aboutChannel(channel, event), userIds)
}

/** What somebody did not read of a channel that they leave counts as read. */
function tellUnread(tx: Tx, leaves: readonly Left[]): void {
  const sets = leaves.map(({ channel, removed }) => ({ channel, removed: idSet(removed) }))
  function read(userId: number) {
    const ids = sets.flatMap(({ channel, removed }) =>
      removed.has(userId) ? unreadIds(tx, userId, { recipientId: channel.recipientId }) : [],
    )
    return ids.length > 0 ? ids.sort((a, b) => a - b) : undefined
  }
  emitPersonal(tx, 'update_message_flags', read, (ids) => flagAddEvent('read', ids, false))
}

function tellUnsubscribed(tx: Tx, leaves: readonly Left[]): void {
  const sets = leaves.map(({ channel, removed }) => ({ channel, removed: idSet(removed) }))
  function read(userId: number) {
    const own = sets.filter(({ removed }) => removed.has(userId)).map(({ channel }) => channel)
    return own.length > 0 ? own : undefined
  }
  emitPersonal(tx, 'subscription', read, (own, traits) => {
    const known = own.filter((channel) => knows(traits, channel))
    return known.length > 0 ? subscriptionRemoveEvent(known) : undefined
  })
}

/**
 * Tells the others that a deactivated user is no subscriber any more, in archived channels too;
 * the subscriptions stay for the day of a reactivation.
 *
 * @source api-changes §4 (feature levels 377, 428)
 */
export function tellOfDeparture(tx: Tx, user: User): void {
  tellOfAll(tx, 'peer_remove', user)
}

/** Tells the others that a user whose account is active again is a subscriber again. */
export function tellOfComeback(tx: Tx, user: User): void {
  tellOfAll(tx, 'peer_add', user)
}

function tellOfAll(tx: Tx, op: 'peer_add' | 'peer_remove', user: User): void {
  for (const { channelId, isActive } of listSubscriptions(tx, user.id)) {
    const channel = isActive ? findChannel(tx, channelId) : undefined
    if (channel) tellPeers(tx, op, channel, [user])
  }
}

/**
 * Tells those who see the channel who came or went. Who came knows everybody from `add`; who went
 * hears of the others.
 */
function tellPeers(
  tx: Tx,
  op: 'peer_add' | 'peer_remove',
  channel: Channel,
  users: readonly User[],
): void {
  if (users.length === 0) return
  const changed = idSet(users)
  const userIds = [...changed].sort((a, b) => a - b)
  const tell = (ids: number[]) => aboutChannel(channel, peerEvent(op, channel.id, ids))
  tx.emit(tell(userIds), (userId) => !changed.has(userId) && sees(tx, userId, channel))
  if (op === 'peer_add' || users.length === 1) return
  emitPersonal(
    tx,
    'subscription',
    (userId) => (changed.has(userId) && sees(tx, userId, channel) ? userId : undefined),
    (self, traits) =>
      knows(traits, channel)
        ? peerEvent(
            op,
            channel.id,
            userIds.filter((id) => id !== self),
          )
        : undefined,
  )
}

function sees(tx: Tx, userId: number, channel: Channel): boolean {
  const user = findUser(tx, userId)
  return user !== undefined && canAccessMetadata(tx, user, channel)
}

/** Whether a client may be told of a channel's archive. */
function knows(traits: QueueTraits, channel: Channel): boolean {
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
