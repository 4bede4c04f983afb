import { canAccessContent, visibleHistory } from '#features/channels/channels/access.ts'
import {
  type Channel,
  findChannelByRecipient,
  listChannels,
} from '#features/channels/channels/queries.ts'
import type { Span } from '#features/channels/channels/subscriptions.queries.ts'
import {
  ceiling,
  everything,
  fromSpans,
  type Ranges,
} from '#features/messaging/read-state/ranges.ts'
import { isDirectMember } from '#features/messaging/recipients/queries.ts'
import type { User, Viewer } from '#features/people/users/queries.ts'
import { memo, once } from '#platform/memo.ts'
import type { Read } from '#platform/store/write.ts'
import { listDirectRecipients, listOwnSpans, type OwnSpan } from './queries.ts'

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
 * A user's own history: the messages sent while they were subscribed, and their direct messages.
 * Channels whose content the user can no longer access are left out.
 *
 * @source Zulip API, "Construct a narrow", "Message history"
 */
export function ownHistory(read: Read, user: User): Visible {
  const spans = once(() => spansByRecipient(read, user))
  const directs = once(() => new Set(listDirectRecipients(read, user.id)))
  return {
    channels: () => [...spans().keys()],
    directs: () => [...directs()],
    ranges: (recipientId) =>
      spans().get(recipientId) ?? (directs().has(recipientId) ? everything : []),
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
  return history === 'all' ? everything : toRanges(history)
}

function spansByRecipient(read: Read, user: User): Map<number, Ranges> {
  const byRecipient = new Map<number, OwnSpan[]>()
  for (const own of listOwnSpans(read, user.id)) {
    const known = byRecipient.get(own.recipientId)
    if (known) known.push(own)
    else if (own.isActive || hasContent(read, user, own.recipientId)) {
      byRecipient.set(own.recipientId, [own])
    }
  }
  return new Map([...byRecipient].map(([recipientId, own]) => [recipientId, toRanges(own)]))
}

function hasContent(read: Read, user: User, recipientId: number): boolean {
  const channel = findChannelByRecipient(read, recipientId)
  return channel !== undefined && canAccessContent(read, user, channel)
}

function toRanges(spans: readonly Span[]): Ranges {
  return fromSpans(
    spans.map(({ fromMessage, untilMessage }) => [fromMessage, untilMessage ?? ceiling]),
  )
}
