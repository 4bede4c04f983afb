import { isInGroup } from '#features/access/permissions/membership.queries.ts'
import { findUser, roles } from '#features/people/users/queries.ts'
import { memo } from '#platform/memo.ts'
import { contains, equal, intersect, type Ranges, subtract, union } from '#platform/ranges.ts'
import { columnsOf, derived } from '#platform/store/derived.ts'
import { openness, users } from '#platform/store/schema.ts'
import type { Read } from '#platform/store/write.ts'
import {
  type Arrival,
  listOpeningGroups,
  listPaths,
  listPathsIn,
  listPathsOf,
  type Path,
  pathTables,
  type UsedPath,
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

function haveOf(path: UsedPath, part: Part, spansIn: SpansIn): Ranges {
  if (part === 'none' || path.firstChannelId === null) return part === 'all' ? path.ids : []
  return part === 'all' ? path.ids : intersect(path.ids, spansIn(path.firstChannelId))
}

/** What someone has of a channel: of the messages sent there and of those moved there. */
function combined(spans: Ranges, paths: readonly UsedPath[], have: (path: UsedPath) => Ranges) {
  return paths.reduce((own, path) => union(subtract(own, path.ids), have(path)), spans)
}

/**
 * The IDs that are a user's own messages if they are messages of the channel; callers check whether
 * the user can access it.
 */
export function ownMessages(read: Read, userId: number, channelId: number): Ranges {
  const spans = subscribedRanges(read, userId, channelId)
  const paths = listPathsIn(read, channelId)
  if (paths.length === 0) return spans
  const spansIn = memo((id) => (id === channelId ? spans : subscribedRanges(read, userId, id)))
  const isOpen = isOpenTo(read, userId)
  return combined(spans, paths, (path) => haveOf(path, partOf(path, spansIn, isOpen), spansIn))
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

/** The same for many messages: reads what it needs of them all at once. */
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
  const paths = listPathsIn(read, channelId)
  if (paths.length === 0) return all
  const spansOf = memo((id) => (id === channelId ? all : listAllSubscribedRanges(read, id)))
  const userIds = new Set([...paths.flatMap(channelsOf)].flatMap((id) => [...spansOf(id).keys()]))
  for (const userId of userIds) {
    const spansIn = (id: number) => spansOf(id).get(userId) ?? []
    const isOpen = isOpenTo(read, userId)
    const have = (path: UsedPath) => haveOf(path, partOf(path, spansIn, isOpen), spansIn)
    const own = combined(spansIn(channelId), paths, have)
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
  const { places, doubtful } = ownPlacesOf(read, String(userId))
  if (doubtful.length === 0) return places
  const isOpen = isOpenTo(read, userId)
  const byChannel = new Map(places.map((place) => [place.channelId, place]))
  for (const { path, spansIn } of doubtful) {
    const have = haveOf(path, partOf(path, spansIn, isOpen), spansIn)
    if (have.length === 0) continue
    const known = byChannel.get(path.channelId) ?? inactive(path.channelId)
    byChannel.set(path.channelId, { ...known, ids: union(known.ids, have) })
  }
  return [...byChannel.values()]
}

const inactive = (channelId: number): OwnPlace => ({ channelId, isActive: false, ids: [] })

interface KnownPlaces {
  /** Without the messages of doubtful paths. */
  readonly places: readonly OwnPlace[]
  /** Paths through channels that groups may open to the user. */
  readonly doubtful: readonly { readonly path: UsedPath; readonly spansIn: SpansIn }[]
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
    const doubtful: { path: UsedPath; spansIn: SpansIn }[] = []
    for (const path of listPaths(read)) {
      const known = places.get(path.channelId) ?? inactive(path.channelId)
      const have = haveOf(path, partOf(path, spansIn, isOpenFor(role, false)), spansIn)
      const most = haveOf(path, partOf(path, spansIn, isOpenFor(role, true)), spansIn)
      if (!equal(have, most)) doubtful.push({ path, spansIn })
      const ids = union(subtract(known.ids, path.ids), have)
      if (ids.length > 0) places.set(path.channelId, { ...known, ids })
      else places.delete(path.channelId)
    }
    return { places: [...places.values()], doubtful }
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
