import { canAccessContent, visibleHistory } from '#features/foundation/channels/access.ts'
import {
  type Channel,
  findChannel,
  findChannelByRecipient,
  listChannels,
} from '#features/foundation/channels/queries.ts'
import { listOwnPlaces } from '#features/foundation/own-history/access.ts'
import { isDirectMember } from '#features/foundation/recipients/queries.ts'
import type { User, Viewer } from '#features/foundation/users/queries.ts'
import { memo, once } from '#platform/memo.ts'
import { everything, type Ranges } from '#platform/ranges.ts'
import type { Read } from '#platform/store/store.ts'
import { listDirectRecipients } from './queries.ts'

/** The reader of a narrow, and where to read from. */
export interface Reader {
  readonly read: Read
  readonly user: Viewer
}

/** A reader with an account. */
export interface UserReader extends Reader {
  readonly user: User
}

/** The messages that a narrow starts from; its filters only remove some of them. */
export interface Visible {
  /** Recipient ids of the channels that may have such messages. */
  readonly channels: () => readonly number[]
  /** Recipient ids of the direct conversations that may have such messages. */
  readonly directs: () => readonly number[]
  /** The ids that belong to it if they are messages of this recipient. */
  readonly ranges: (recipientId: number) => Ranges
}

/**
 * A user's own history: the messages that arrived in a channel while they were subscribed, and their
 * direct messages.
 * Channels whose content the user can no longer access are left out.
 *
 * @source Zulip API, "Construct a narrow", "Message history"
 */
export function ownHistory(read: Read, user: User): Visible {
  const own = once(() => ownByRecipient(read, user))
  const directs = once(() => new Set(listDirectRecipients(read, user.id)))
  return {
    channels: () => [...own().keys()],
    directs: () => [...directs()],
    ranges: (recipientId) =>
      own().get(recipientId) ?? (directs().has(recipientId) ? everything : []),
  }
}

/** All messages that a viewer may read in these channels, subscribed or not. */
export function channelHistory(read: Read, user: Viewer, channels: readonly Channel[]): Visible {
  const byRecipient = new Map(channels.map((channel) => [channel.recipientId, channel]))
  return {
    channels: () => [...byRecipient.keys()],
    directs: () => [],
    ranges: memo((recipientId) => {
      const channel = byRecipient.get(recipientId)
      return channel ? readable(read, user, channel) : []
    }),
  }
}

/** All messages that a viewer may read. */
export function allReadable(read: Read, user: Viewer): Visible {
  return {
    channels: once(() =>
      listChannels(read)
        .filter((channel) => canAccessContent(read, user, channel))
        .map(({ recipientId }) => recipientId),
    ),
    directs: once(() => (user === 'spectator' ? [] : listDirectRecipients(read, user.id))),
    ranges: memo((recipientId) => {
      const channel = findChannelByRecipient(read, recipientId)
      if (channel) return readable(read, user, channel)
      if (user === 'spectator') return []
      return isDirectMember(read, recipientId, user.id) ? everything : []
    }),
  }
}

function readable(read: Read, user: Viewer, channel: Channel): Ranges {
  const history = visibleHistory(read, user, channel)
  return history === 'all' ? everything : history
}

function ownByRecipient(read: Read, user: User): Map<number, Ranges> {
  const own = new Map<number, Ranges>()
  for (const { channelId, ids, isActive } of listOwnPlaces(read, user.id)) {
    const channel = findChannel(read, channelId)
    if (!channel || !(isActive || canAccessContent(read, user, channel))) continue
    own.set(channel.recipientId, ids)
  }
  return own
}
