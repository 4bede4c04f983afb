import { accessChannelByName, canAccessMetadata } from '#features/foundation/channels/access.ts'
import { type Channel, findChannel } from '#features/foundation/channels/queries.ts'
import { shownTopic } from '#features/foundation/recipients/topics.rules.ts'
import {
  accessUser,
  findAccessibleUserByAddress,
  listAccessibleUsers,
} from '#features/foundation/users/access.ts'
import type { ShownUser } from '#features/foundation/users/queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Term } from '#platform/events/types.ts'
import type { Caller } from '#platform/http/caller.ts'
import { channelUrl, directMessagesUrl, topicUrl } from '#platform/markdown/links.ts'
import type { Read } from '#platform/store/store.ts'

/** A conversation, as tools name it. */
export interface Place {
  readonly channel?: string | number | undefined
  readonly topic?: string | undefined
  readonly people?: readonly (string | number)[] | undefined
}

type Asking = Pick<Caller, 'store' | 'user'>

/**
 * The channel with this name or ID, if the caller can see it. @throws BAD_REQUEST
 */
export function namedChannel({ store, user }: Asking, name: string | number): Channel {
  const digits = typeof name === 'string' && /^\d{1,9}$/.test(name) ? Number(name) : name
  const channel = typeof digits === 'number' ? findChannel(store, digits) : undefined
  if (channel && canAccessMetadata(store, user, channel)) return channel
  return accessChannelByName(store, { user }, String(name).trim().replace(/^#/, ''))
}

/** How many people an error names. */
const mostNamed = 5

/**
 * The person with this ID, address or name, if the caller can see them; `me` is the caller.
 *
 * @throws BAD_REQUEST nobody, or several have the name
 */
export function namedPerson({ store, user }: Asking, name: string | number): ShownUser {
  if (typeof name === 'number' || /^\d{1,9}$/.test(name))
    return accessUser(store, user, Number(name))
  const asked = name.trim().replace(/^@/, '')
  if (asked.toLowerCase() === 'me') return user
  const byAddress = asked.includes('@') && findAccessibleUserByAddress(store, user, asked)
  if (byAddress) return byAddress
  const found = peopleLike({ store, user }, asked)
  const exact = found.filter(({ fullName }) => fullName.toLowerCase() === asked.toLowerCase())
  const [first, ...others] = exact.length > 0 ? exact : found
  if (!first) throw badRequest(`Nobody is called "${asked}". Look them up with find.`)
  if (others.length === 0) return first
  const names = [first, ...others]
    .slice(0, mostNamed)
    .map(({ fullName, id }) => `${fullName} (${id})`)
  throw badRequest(`Several people are called "${asked}": ${names.join(', ')}. Give the ID.`)
}

/** The active people and bots whom the caller can see with all of these words in their name. */
export function peopleLike({ store, user }: Asking, query: string): ShownUser[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return listAccessibleUsers(store, user).filter(
    ({ fullName, isActive }) =>
      isActive && words.every((word) => fullName.toLowerCase().includes(word)),
  )
}

/** The people of a direct conversation besides the caller. */
export function namedPeople(caller: Asking, names: readonly (string | number)[]): ShownUser[] {
  const people = new Map(
    names.map((name) => namedPerson(caller, name)).map((each) => [each.id, each]),
  )
  return [...people.values()]
}

/** A conversation with its name, its address and the terms of its narrow. */
export interface KnownPlace {
  readonly channel?: Channel
  readonly topic?: string
  readonly people?: readonly ShownUser[]
  /** `#channel > topic`, or the names of the people. */
  readonly name: string
  /** Relative to the server. */
  readonly path: string
  readonly terms: readonly Term[]
}

/** @throws BAD_REQUEST neither a channel nor people, both, or one that the caller cannot see */
export function knownPlace(caller: Asking, { channel, topic, people }: Place): KnownPlace {
  if ((channel === undefined) === (people === undefined)) {
    throw badRequest('Name either a channel or people.')
  }
  if (channel !== undefined) return channelPlace(caller.store, namedChannel(caller, channel), topic)
  if (topic !== undefined) throw badRequest('A direct conversation has no topics.')
  return directPlace(caller, namedPeople(caller, people ?? []))
}

export function channelPlace(read: Read, channel: Channel, topic: string | undefined): KnownPlace {
  const inChannel = { operator: 'channel', operand: channel.id, negated: false }
  if (topic === undefined) {
    return { channel, name: `#${channel.name}`, path: channelUrl(channel), terms: [inChannel] }
  }
  const inTopic = { operator: 'topic', operand: topic, negated: false }
  const name = `#${channel.name} > ${shownTopic(read, topic, false)}`
  return { channel, topic, name, path: topicUrl(channel, topic), terms: [inChannel, inTopic] }
}

/** @param people with or without the caller */
export function directPlace(
  { user }: Pick<Asking, 'user'>,
  people: readonly ShownUser[],
): KnownPlace {
  const others = people.filter(({ id }) => id !== user.id)
  const ids = others.map(({ id }) => id)
  const name = others.map(({ fullName }) => fullName).join(', ') || `${user.fullName} (yourself)`
  const operand = ids.length > 0 ? ids : [user.id]
  const terms = [{ operator: 'dm', operand, negated: false }]
  return { people: others, name, path: directMessagesUrl([...ids, user.id]), terms }
}
