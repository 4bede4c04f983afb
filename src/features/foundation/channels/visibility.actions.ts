import { isDeepStrictEqual } from 'node:util'
import type { ChannelPermission } from '#features/foundation/permissions/table.ts'
import type { ServerEvent } from '#platform/events/types.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { userCanSeeChannel } from './actions.ts'
import {
  aboutChannel,
  channelCreateEvent,
  channelDeleteEvent,
  channelUpdateEvent,
} from './events.ts'
import { type ChannelJson, channelJson, channelPermissions } from './json.ts'
import { channelReturned, channelRevealed } from './occasions.ts'
import { type Channel, listChannelsOpenedBy } from './queries.ts'

interface TrackedChannel {
  /**
   * Emits `stream`/`create` and the subscribers to users who can now see the channel,
   * `stream`/`delete` to users who no longer can, and each changed property to the others.
   */
  emitChanges(after: Channel): void
}

/** Remembers a channel's properties, and the users who can see it, before it changes. */
export function trackChannel(tx: Tx, before: Channel): TrackedChannel {
  const oldJson = channelJson(tx, before)
  const oldViewers = usersWhoCanSee(tx, tx.liveUsers, before)
  return {
    emitChanges(after) {
      const viewers = usersWhoCanSee(tx, tx.liveUsers, after)
      emitChannelVisibility(tx, after, oldViewers, viewers)
      const remaining = [...viewers].filter((userId) => oldViewers.has(userId))
      for (const event of updateEvents(before, oldJson, channelJson(tx, after))) {
        tx.emit(aboutChannel(after, event), remaining)
      }
    },
  }
}

/**
 * Remembers a channel's settings before a change of the users in their values. The change must not
 * affect who can see the channel.
 */
export function trackChannelSettings(tx: Tx, channel: Channel): { emitChanges(): void } {
  const oldJson = channelJson(tx, channel)
  return {
    emitChanges() {
      for (const event of updateEvents(channel, oldJson, channelJson(tx, channel))) {
        tx.emit(aboutChannel(channel, event), (userId) => userCanSeeChannel(tx, userId, channel))
      }
    },
  }
}

/**
 * Remembers which private channels users can see because of a group, before its membership changes.
 * Cheap if the group gives access to no channel.
 *
 * @param people returns the ids of the users whose membership changes; called only if the group
 * gives access to a channel
 */
export function trackChannelsOpenedBy(
  tx: Tx,
  groupId: number,
  people: () => readonly number[],
): { emitChanges(): void } {
  const channels = listChannelsOpenedBy(tx, groupId)
  const live = channels.length === 0 ? [] : people().filter((userId) => tx.liveUsers.has(userId))
  const oldViewers = channels.map((channel) => usersWhoCanSee(tx, live, channel))
  return {
    emitChanges() {
      for (const [index, channel] of channels.entries()) {
        emitChannelVisibility(
          tx,
          channel,
          oldViewers[index] ?? new Set(),
          usersWhoCanSee(tx, live, channel),
        )
      }
    },
  }
}

/**
 * Emits `stream`/`delete` to users who can no longer see a channel, and `stream`/`create` and the
 * subscribers to users who can now see it.
 */
export function emitChannelVisibility(
  tx: Tx,
  channel: Channel,
  oldViewers: ReadonlySet<number>,
  viewers: ReadonlySet<number>,
): void {
  const lost = [...oldViewers].filter((userId) => !viewers.has(userId))
  const gained = [...viewers].filter((userId) => !oldViewers.has(userId))
  if (lost.length > 0) tx.emit(aboutChannel(channel, channelDeleteEvent(channel.id)), lost)
  if (gained.length === 0) return
  tx.emit(aboutChannel(channel, channelCreateEvent(channelJson(tx, channel))), gained)
  tx.announce(channelRevealed, { channel, viewerIds: gained })
  tx.announce(channelReturned, { channel, isViewer: (userId) => gained.includes(userId) })
}

/** The users among these who can see a channel. */
export function usersWhoCanSee(
  read: Read,
  userIds: Iterable<number>,
  channel: Channel,
): ReadonlySet<number> {
  return new Set([...userIds].filter((userId) => userCanSeeChannel(read, userId, channel)))
}

/**
 * How clients hear that a member of a channel has changed: by an event that carries nothing but the
 * value, in a way of its own in `updateEvents`, or from elsewhere, because no edit changes it.
 */
const heard = {
  name: 'plainly',
  message_retention_days: 'plainly',
  default_push_notifications: 'plainly',
  topics_policy: 'plainly',
  folder_id: 'plainly',
  description: 'specially',
  rendered_description: 'specially',
  invite_only: 'specially',
  is_web_public: 'specially',
  history_public_to_subscribers: 'specially',
  is_announcement_only: 'specially',
  stream_post_policy: 'specially',
  stream_id: 'elsewhere',
  is_archived: 'elsewhere',
  date_created: 'elsewhere',
  creator_id: 'elsewhere',
  first_message_id: 'elsewhere',
  is_recently_active: 'elsewhere',
  subscriber_count: 'elsewhere',
  stream_weekly_traffic: 'elsewhere',
} as const satisfies Record<
  Exclude<keyof ChannelJson, ChannelPermission>,
  'plainly' | 'specially' | 'elsewhere'
>

const plainProperties: readonly (keyof ChannelJson)[] = [
  ...(Object.keys(heard) as (keyof typeof heard)[]).filter((name) => heard[name] === 'plainly'),
  ...channelPermissions,
]

/** @source Zulip API, "Get events", type "stream", op "update" */
function updateEvents(channel: Channel, before: ChannelJson, after: ChannelJson): ServerEvent[] {
  const changed = (...properties: (keyof ChannelJson)[]) =>
    properties.some((property) => !isDeepStrictEqual(before[property], after[property]))
  const events = plainProperties
    .filter((property) => changed(property))
    .map((property) => channelUpdateEvent(channel, property, after[property]))
  if (changed('is_announcement_only')) {
    events.push(channelUpdateEvent(channel, 'is_announcement_only', after.is_announcement_only))
  }
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
