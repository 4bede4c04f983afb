import { isDeepStrictEqual } from 'node:util'
import type { Read, Tx } from '#store/write.ts'
import { introducePeers } from '#subscriptions/actions.ts'
import { mayKnow } from './actions.ts'
import {
  aboutChannel,
  type ChannelUpdateEvent,
  channelCreateEvent,
  channelDeleteEvent,
  channelUpdateEvent,
} from './events.ts'
import { type ChannelJson, channelJson, channelPermissions } from './json.ts'
import { type Channel, listChannelsOpenedBy } from './queries.ts'

interface Watched {
  /**
   * Tells whom it concerns what became of the channel: who may know of it from now on, that it
   * exists and who is subscribed; who may not any more, that it is gone; who may as before, each property that changed.
   */
  tell(after: Channel): void
}

/** Remembers what a channel is like, and who may know of it, before it changes. */
export function watchChannel(tx: Tx, before: Channel): Watched {
  const known = channelJson(tx, before)
  const knew = knowers(tx, tx.liveUsers, before)
  return {
    tell(after) {
      const know = knowers(tx, tx.liveUsers, after)
      tellOfSight(tx, after, knew, know)
      const stayed = [...know].filter((userId) => knew.has(userId))
      for (const event of updateEvents(before, known, channelJson(tx, after))) {
        tx.emit(aboutChannel(after, event), stayed)
      }
    },
  }
}

/**
 * Remembers the values of a channel's settings, before what they are made of changes. Who may know
 * of the channel must not change.
 */
export function watchValues(tx: Tx, channel: Channel): { tell(): void } {
  const known = channelJson(tx, channel)
  return {
    tell() {
      for (const event of updateEvents(channel, known, channelJson(tx, channel))) {
        tx.emit(aboutChannel(channel, event), (userId) => mayKnow(tx, userId, channel))
      }
    },
  }
}

/**
 * Remembers which private channels people know of through a group, before the group changes. Costs
 * next to nothing where no channel is opened by the group.
 *
 * @param people whose membership changes; asked only about groups that open channels
 */
export function watchGroup(
  tx: Tx,
  groupId: number,
  people: () => readonly number[],
): { tell(): void } {
  const channels = listChannelsOpenedBy(tx, groupId)
  const live = channels.length === 0 ? [] : people().filter((userId) => tx.liveUsers.has(userId))
  const knew = channels.map((channel) => knowers(tx, live, channel))
  return {
    tell() {
      for (const [index, channel] of channels.entries()) {
        tellOfSight(tx, channel, knew[index] ?? new Set(), knowers(tx, live, channel))
      }
    },
  }
}

/** For whom a channel is gone, hears so; for whom it appeared, learns of it and its subscribers. */
export function tellOfSight(
  tx: Tx,
  channel: Channel,
  knew: ReadonlySet<number>,
  know: ReadonlySet<number>,
): void {
  const lost = [...knew].filter((userId) => !know.has(userId))
  const gained = [...know].filter((userId) => !knew.has(userId))
  if (lost.length > 0) tx.emit(aboutChannel(channel, channelDeleteEvent(channel.id)), lost)
  if (gained.length === 0) return
  tx.emit(aboutChannel(channel, channelCreateEvent(channelJson(tx, channel))), gained)
  introducePeers(tx, channel, gained)
}

/** Who of these may know of a channel. */
export function knowers(
  read: Read,
  userIds: Iterable<number>,
  channel: Channel,
): ReadonlySet<number> {
  return new Set([...userIds].filter((userId) => mayKnow(read, userId, channel)))
}

/** Each of these changes for itself. */
const plainProperties = [
  'name',
  'message_retention_days',
  'default_push_notifications',
  'topics_policy',
  'folder_id',
  ...channelPermissions,
  'is_announcement_only',
] as const

/** @source the API description's `stream`/`update`; api-changes §4 */
function updateEvents(
  channel: Channel,
  before: ChannelJson,
  after: ChannelJson,
): ChannelUpdateEvent[] {
  const changed = (...properties: (keyof ChannelJson)[]) =>
    properties.some((property) => !isDeepStrictEqual(before[property], after[property]))
  const events = plainProperties
    .filter((property) => changed(property))
    .map((property) => channelUpdateEvent(channel, property, after[property]))
  if (changed('can_send_message_group')) {
    events.push(channelUpdateEvent(channel, 'stream_post_policy', after.stream_post_policy))
  }
  if (changed('description')) {
    const { rendered_description } = after
    events.push(
      channelUpdateEvent(channel, 'description', after.description, { rendered_description }),
    )
  }
  if (changed('invite_only', 'is_web_public', 'history_public_to_subscribers')) {
    const { history_public_to_subscribers, is_web_public } = after
    const privacy = { history_public_to_subscribers, is_web_public }
    events.push(channelUpdateEvent(channel, 'invite_only', after.invite_only, privacy))
  }
  return events
}
