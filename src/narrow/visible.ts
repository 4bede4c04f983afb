import { canAccessContent, visibleHistory } from '#channels/access.ts'
import { type Channel, findChannelByRecipient, listChannels } from '#channels/queries.ts'
import { ceiling, everything, type Ranges, span, union } from '#read-state/ranges.ts'
import { isDirectMember } from '#recipients/queries.ts'
import type { Read } from '#store/write.ts'
import type { Span } from '#subscriptions/queries.ts'
import type { User } from '#users/queries.ts'
import { listDirectRecipients, listOwnSpans } from './queries.ts'

/** The messages that a narrow starts from; its filters only take away from them. */
export interface Visible {
  /** Recipient ids of channels and of direct conversations that can have such messages. */
  readonly channels: () => readonly number[]
  readonly directs: () => readonly number[]
  /** Which ids belong to it, if they are messages of this recipient. */
  readonly ranges: (recipientId: number) => Ranges
}

/**
 * A user's own history: what was sent while they were subscribed, and their direct messages. Of a
 * channel whose content the user lost, nothing is left.
 *
 * @source contract, "Get messages": narrows without a channel operator
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

/** What a user may read in these channels, whether they were subscribed or not. */
export function channelHistory(read: Read, user: User, channels: readonly Channel[]): Visible {
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

/** Everything that a user may read. */
export function allReadable(read: Read, user: User): Visible {
  return {
    channels: once(() =>
      listChannels(read)
        .filter((channel) => canAccessContent(read, user, channel))
        .map(({ recipientId }) => recipientId),
    ),
    directs: once(() => listDirectRecipients(read, user.id)),
    ranges: memo((recipientId) => {
      const channel = findChannelByRecipient(read, recipientId)
      if (channel) return readable(read, user, channel)
      return isDirectMember(read, recipientId, user.id) ? everything : []
    }),
  }
}

function readable(read: Read, user: User, channel: Channel): Ranges {
  const history = visibleHistory(read, user, channel)
  return history === 'all' ? everything : toRanges(history)
}

function spansByRecipient(read: Read, user: User): Map<number, Ranges> {
  const byRecipient = new Map<number, Ranges>()
  for (const { recipientId, isActive, ...own } of listOwnSpans(read, user.id)) {
    const known = byRecipient.get(recipientId)
    if (!known && !isActive && !hasContent(read, user, recipientId)) continue
    byRecipient.set(recipientId, union(known ?? [], toRanges([own])))
  }
  return byRecipient
}

function hasContent(read: Read, user: User, recipientId: number): boolean {
  const channel = findChannelByRecipient(read, recipientId)
  return channel !== undefined && canAccessContent(read, user, channel)
}

function toRanges(spans: readonly Span[]): Ranges {
  let ranges: Ranges = []
  for (const { fromMessage, untilMessage } of spans) {
    ranges = union(ranges, span(fromMessage, untilMessage ?? ceiling))
  }
  return ranges
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Remembers what was found for each id. One narrow is compiled and run in one turn. */
export function memo<T>(find: (id: number) => T): (id: number) => T {
  const known = new Map<number, T>()
  return (id) => {
    let found = known.get(id)
    if (found === undefined) {
      found = find(id)
      known.set(id, found)
    }
    return found
  }
}
