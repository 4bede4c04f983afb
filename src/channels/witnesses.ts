import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '#http/caller.ts'
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
import type { Channel } from './queries.ts'

interface Watched {
  /**
   * Tells whom it concerns what became of the channel: who may know of it from now on, that it
   * exists and who is subscribed; who may not any more, that it is gone; who may as before, each property that changed.
   */
  tell(after: Channel): void
}

/** Remembers what a channel is like, and who may know of it, before it changes. */
export function watchChannel(tx: Tx, caller: Caller, before: Channel): Watched {
  const known = channelJson(tx, before)
  const knew = liveKnowers(tx, caller, before)
  return {
    tell(after) {
      const json = channelJson(tx, after)
      const know = liveKnowers(tx, caller, after)
      const lost = [...knew].filter((userId) => !know.has(userId))
      const gained = [...know].filter((userId) => !knew.has(userId))
      const stayed = [...know].filter((userId) => knew.has(userId))
      tx.emit(aboutChannel(after, channelDeleteEvent(after.id)), lost)
      tx.emit(aboutChannel(after, channelCreateEvent(json)), gained)
      introducePeers(tx, after, gained)
      for (const event of updateEvents(before, known, json)) {
        tx.emit(aboutChannel(after, event), stayed)
      }
    },
  }
}

/** Ids of those with a live queue who may know of a channel. */
function liveKnowers(read: Read, { server }: Caller, channel: Channel): ReadonlySet<number> {
  return new Set([...server.queues.liveUsers()].filter((userId) => mayKnow(read, userId, channel)))
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
