import { isDeepStrictEqual } from 'node:util'
import { isInGroup } from '#features/foundation/permissions/membership.queries.ts'
import { findUser, roles } from '#features/foundation/users/queries.ts'
import { memo } from '#platform/memo.ts'
import { contains, equal, fromIds, type Ranges, subtract, union } from '#platform/ranges.ts'
import { columnsOf, derived } from '#platform/store/derived.ts'
import { openness, users } from '#platform/store/schema.ts'
import type { Read } from '#platform/store/store.ts'
import {
  type Arrival,
  findMovedTo,
  listMoved,
  listOpeningGroups,
  listPathsOf,
  type MovedTo,
  type Path,
  pathTables,
} from './paths.queries.ts'
import {
  listAllSubscribedRanges,
  listSubscribedPlaces,
  listSubscribedRanges,
  listSubscribedRangesOf,
  placeTables,
  subscribedRanges,
} from './spans.queries.ts'

/*
 * A message arrives in a channel when it is sent there or moved there. It becomes the own message of
 * whoever is subscribed at that moment. By a later move they keep it if the new channel was open to
 * them, subscribed or not. What is in a channel that they can no longer access they do not have;
 * callers check that.
 */

/** When a user was subscribed to a channel. */
type SpansIn = (channelId: number) => Ranges

/** Which messages of a path someone has: all, those that they received where they were sent, none. */
type Part = 'all' | 'received' | 'none'

function partOf(path: Path, spansIn: SpansIn, isOpen: (arrival: Arrival) => boolean): Part {
  let part: Part = path.firstChannelId === null ? 'none' : 'received'
  for (const arrival of path.arrivals) {
    if (contains(spansIn(arrival.channelId), arrival.at)) part = 'all'
    else if (part !== 'none' && !isOpen(arrival)) part = 'none'
  }
  return part
}

/** Whether a channel was open to a user without a subscription when messages arrived there. */
function isOpenTo(read: Read, userId: number): (arrival: Arrival) => boolean {
  const opens = memo((channelId) => opensNow(read, userId, channelId))
  return ({ channelId, openness: then }) => {
    if (then === openness.everyone) return true
    const user = findUser(read, userId)
    if (!user || user.role === roles.guest) return false
    return then === openness.members || opens(channelId)
  }
}

/** Whether a group opens a private channel to a user. Groups have no history: it counts as it is. */
function opensNow(read: Read, userId: number, channelId: number): boolean {
  const user = findUser(read, userId)
  return (
    user !== undefined && listOpeningGroups(read, channelId).some((id) => isInGroup(read, user, id))
  )
}

/**
 * What someone has of a channel: of the messages sent there, and of those moved there.
 *
 * @param parts for each of the paths
 */
function combined(moved: MovedTo, parts: readonly Part[], spansIn: SpansIn): Ranges {
  const spans = spansIn(moved.channelId)
  if (parts.every((part) => part === 'all')) return union(spans, moved.all)
  const received = moved.paths.map(({ firstChannelId }, place) =>
    parts[place] === 'received' && firstChannelId !== null ? spansIn(firstChannelId) : [],
  )
  const have = moved.ids.filter((id, i) => {
    const place = moved.pathOf[i] ?? 0
    return parts[place] === 'all' || contains(received[place] ?? [], id)
  })
  return union(subtract(spans, moved.all), fromIds(have))
}

/**
 * The IDs that are a user's own messages if they are messages of the channel; callers check whether
 * the user can access it.
 */
export function ownMessages(read: Read, userId: number, channelId: number): Ranges {
  const spans = subscribedRanges(read, userId, channelId)
  const moved = findMovedTo(read, channelId)
  if (!moved) return spans
  const spansIn = memo((id) => (id === channelId ? spans : subscribedRanges(read, userId, id)))
  const isOpen = isOpenTo(read, userId)
  const parts = moved.paths.map((path) => partOf(path, spansIn, isOpen))
  return combined(moved, parts, spansIn)
}

/** A message of a channel. */
interface ChannelMessage {
  readonly id: number
  readonly channelId: number
}

/** Whether a message is a user's own; callers check whether the user can access the channel. */
export function isOwnMessage(read: Read, userId: number, message: ChannelMessage): boolean {
  return ownReader(read, userId, [message])(message)
}

/** The same for many messages: reads what it needs of them all together. */
export function ownReader(
  read: Read,
  userId: number,
  messages: readonly ChannelMessage[],
): (message: ChannelMessage) => boolean {
  const paths = listPathsOf(
    read,
    messages.map(({ id }) => id),
  )
  const channelIds = new Set(messages.map(({ channelId }) => channelId))
  for (const path of paths.values()) for (const id of channelsOf(path)) channelIds.add(id)
  const spans = listSubscribedRanges(read, userId, [...channelIds])
  const spansIn = (channelId: number) => spans.get(channelId) ?? []
  const isOpen = isOpenTo(read, userId)
  return ({ id, channelId }) => {
    const path = paths.get(id)
    return path ? hasOnPath(path, id, spansIn, isOpen) : contains(spansIn(channelId), id)
  }
}

function channelsOf({ firstChannelId, arrivals }: Path): number[] {
  const ids = arrivals.map(({ channelId }) => channelId)
  return firstChannelId === null ? ids : [firstChannelId, ...ids]
}

function hasOnPath(
  path: Path,
  messageId: number,
  spansIn: SpansIn,
  isOpen: (arrival: Arrival) => boolean,
): boolean {
  const part = partOf(path, spansIn, isOpen)
  if (part !== 'received' || path.firstChannelId === null) return part === 'all'
  return contains(spansIn(path.firstChannelId), messageId)
}

/** Those among these users whose own message it is; callers check who can access the channel. */
export function listOwners(
  read: Read,
  { id, channelId }: ChannelMessage,
  userIds: readonly number[],
): Set<number> {
  const path = listPathsOf(read, [id]).get(id)
  const spansOf = memo((channel) => listSubscribedRangesOf(read, channel, userIds))
  return new Set(
    userIds.filter((userId) => {
      const spansIn = (channel: number) => spansOf(channel).get(userId) ?? []
      if (!path) return contains(spansIn(channelId), id)
      return hasOnPath(path, id, spansIn, isOpenTo(read, userId))
    }),
  )
}

/**
 * For each user who may have messages of a channel, the IDs of their own, as `ownMessages` has them
 * for one.
 */
export function listOwnMessages(read: Read, channelId: number): Map<number, Ranges> {
  const all = listAllSubscribedRanges(read, channelId)
  const moved = findMovedTo(read, channelId)
  if (!moved) return all
  const spansOf = memo((id) => (id === channelId ? all : listAllSubscribedRanges(read, id)))
  const channelIds = new Set(moved.paths.flatMap(channelsOf))
  const userIds = new Set([channelId, ...channelIds].flatMap((id) => [...spansOf(id).keys()]))
  for (const userId of userIds) {
    const spansIn = (id: number) => spansOf(id).get(userId) ?? []
    const isOpen = isOpenTo(read, userId)
    const parts = moved.paths.map((path) => partOf(path, spansIn, isOpen))
    const own = combined(moved, parts, spansIn)
    if (own.length > 0) all.set(userId, own)
    else all.delete(userId)
  }
  return all
}

/** What a user has of a channel. */
export interface OwnPlace {
  readonly channelId: number
  /** Whether the user is subscribed now. */
  readonly isActive: boolean
  /** The IDs of the user's own messages, if they are of this channel. */
  readonly ids: Ranges
}

/** All channels of which a user has messages, some perhaps of channels that they cannot access. */
export function listOwnPlaces(read: Read, userId: number): readonly OwnPlace[] {
  const { doubtful, places, spansIn } = ownPlacesOf(read, String(userId))
  if (doubtful.length === 0) return places
  const isOpen = isOpenTo(read, userId)
  const further = doubtful.flatMap(({ isActive, moved }) => {
    const { channelId } = moved
    const parts = moved.paths.map((path) => partOf(path, spansIn, isOpen))
    const ids = combined(moved, parts, spansIn)
    return ids.length > 0 ? [{ channelId, isActive, ids }] : []
  })
  return [...places, ...further]
}

interface KnownPlaces {
  readonly places: readonly OwnPlace[]
  /** What a user has of these depends on groups, which may open channels on the way. */
  readonly doubtful: readonly { readonly moved: MovedTo; readonly isActive: boolean }[]
  readonly spansIn: SpansIn
}

/** The most readers of whom it is kept: some 100 bytes for each channel. */
const mostReaders = 200

const ownPlacesOf = derived(
  [...placeTables, ...pathTables, columnsOf(users, 'role')],
  (read, key): KnownPlaces => {
    const userId = Number(key)
    const subscribed = listSubscribedPlaces(read, userId)
    const places = new Map<number, OwnPlace>(
      subscribed.map(({ channelId, isActive, spans }) => [
        channelId,
        { channelId, isActive, ids: spans },
      ]),
    )
    const spans = new Map(subscribed.map((place) => [place.channelId, place.spans]))
    const spansIn = (channelId: number) => spans.get(channelId) ?? []
    const role = findUser(read, userId)?.role ?? roles.guest
    const doubtful: { moved: MovedTo; isActive: boolean }[] = []
    for (const moved of listMoved(read)) {
      const { channelId } = moved
      const isActive = places.get(channelId)?.isActive ?? false
      const [least, most] = [false, true].map((opens) =>
        moved.paths.map((path) => partOf(path, spansIn, isOpenFor(role, opens))),
      ) as [Part[], Part[]]
      const ids = combined(moved, least, spansIn)
      const isSure = isDeepStrictEqual(least, most) || equal(ids, combined(moved, most, spansIn))
      if (!isSure) doubtful.push({ moved, isActive })
      if (isSure && ids.length > 0) places.set(channelId, { channelId, isActive, ids })
      else places.delete(channelId)
    }
    return { places: [...places.values()], doubtful, spansIn }
  },
  mostReaders,
)

/** As `isOpenTo`, with one answer for all private channels. */
function isOpenFor(role: number, privateOnes: boolean): (arrival: Arrival) => boolean {
  return ({ openness: then }) => {
    if (then === openness.everyone) return true
    return role !== roles.guest && (then === openness.members || privateOnes)
  }
}
