/**
 * Who may see what, written down a second time from the contract and the design alone: nothing
 * here knows how the server does it.
 */

export interface Person {
  readonly id: number
  role: number
  active: boolean
}

/** A group's id, or a group without a name. */
export type GroupValue = number | { direct_members: number[]; direct_subgroups: number[] }

export interface Group {
  readonly members: Set<number>
  readonly subgroups: Set<number>
}

export interface Channel {
  readonly id: number
  readonly name: string
  isPrivate: boolean
  isWebPublic: boolean
  sharesHistory: boolean
  isArchived: boolean
  readonly subscribers: Set<number>
  /** Those may read without a subscription whom one of these holds. */
  readonly opening: { can_subscribe_group: GroupValue; can_add_subscribers_group: GroupValue }
  administrators: GroupValue
}

/** That a message came to a channel: by being sent there, or moved. */
interface Arrival {
  /** Who was subscribed. */
  readonly there: ReadonlySet<number>
  /** Whom the channel let in without a subscription. */
  readonly isOpenTo: (person: Person) => boolean
}

export interface Message {
  readonly id: number
  readonly senderId: number
  /** Undefined: a direct message. */
  channel: Channel | undefined
  readonly people: readonly number[]
  /** The earliest first; none for a direct message. */
  readonly arrivals: Arrival[]
  topic: string
  content: string
  /** Whom it mentions by name, of those whom it reached, and whether it mentions all. */
  mentions: { readonly ids: ReadonlySet<number>; readonly all: boolean }
  /** Who starred it. */
  readonly stars: Set<number>
}

export interface World {
  readonly people: Map<number, Person>
  readonly groups: Map<number, Group>
  readonly channels: Map<number, Channel>
  readonly messages: Map<number, Message>
  /** The address of a file by the person who uploaded it. */
  readonly files: Map<number, string>
  showsEditHistory: boolean
}

export const roles = { owner: 100, admin: 200, moderator: 300, member: 400, guest: 600 }

/** The least role that each system group holds, by the group's id; full members are left out. */
const systemGroups: ReadonlyMap<number, number> = new Map([
  [1, 0],
  [2, roles.owner],
  [3, roles.admin],
  [4, roles.moderator],
  [6, roles.member],
  [7, roles.guest],
])

function isIn(world: World, person: Person, value: GroupValue, seen = new Set<number>()): boolean {
  if (typeof value === 'object') {
    const inner = value.direct_subgroups.some((id) => isIn(world, person, id, seen))
    return inner || value.direct_members.includes(person.id)
  }
  const leastRole = systemGroups.get(value)
  if (leastRole !== undefined) return person.role <= leastRole
  const group = world.groups.get(value)
  if (!group || seen.has(value)) return false
  seen.add(value)
  return (
    group.members.has(person.id) || [...group.subgroups].some((id) => isIn(world, person, id, seen))
  )
}

export function isSubscribed(channel: Channel, personId: number): boolean {
  return channel.subscribers.has(personId)
}

/** Public channels are open to all but guests, web-public ones to guests too. */
export function mayReadIn(world: World, person: Person, channel: Channel): boolean {
  const isGuest = person.role === roles.guest
  if (channel.isWebPublic || (!channel.isPrivate && !isGuest)) return true
  if (isSubscribed(channel, person.id)) return true
  // Settings that `role:everyone` cannot have never count for guests.
  return !isGuest && Object.values(channel.opening).some((value) => isIn(world, person, value))
}

/** Administrators know of every channel, a channel's own administrators of theirs. */
export function mayKnow(world: World, person: Person, channel: Channel): boolean {
  if (mayReadIn(world, person, channel)) return true
  if (person.role === roles.guest) return false
  return person.role <= roles.admin || isIn(world, person, channel.administrators)
}

/** What is noted when a message comes to a channel. */
export function arrive(world: World, message: Message, channel: Channel): void {
  const { isPrivate, isWebPublic, opening } = channel
  const there = [...world.people.keys()].filter((id) => isSubscribed(channel, id))
  message.arrivals.push({
    there: new Set(there),
    // Groups and roles have no history: they count as they are.
    isOpenTo(person) {
      if (isWebPublic) return true
      if (person.role === roles.guest) return false
      return !isPrivate || Object.values(opening).some((value) => isIn(world, person, value))
    },
  })
}

/** Whether someone received a message, and kept it through all of its moves. */
function has({ arrivals }: Message, person: Person): boolean {
  return arrivals.reduce(
    (had, { isOpenTo, there }, i) => there.has(person.id) || (had && i > 0 && isOpenTo(person)),
    false,
  )
}

export function mayRead(world: World, person: Person, message: Message): boolean {
  const { channel } = message
  if (!person.active) return false
  if (!channel) return message.people.includes(person.id)
  if (!mayReadIn(world, person, channel)) return false
  return channel.sharesHistory || has(message, person)
}

/** Whether the combined feed and a search without a channel have a message. */
export function isOwnHistory(world: World, person: Person, message: Message): boolean {
  if (!mayRead(world, person, message)) return false
  return !message.channel || has(message, person)
}

/** Whom a new message reaches. */
export function receives(person: Person, { channel, people }: Message): boolean {
  if (!person.active) return false
  return channel ? isSubscribed(channel, person.id) : people.includes(person.id)
}

/** Whether a message that someone has mentions them. */
export function isMentioned({ id }: Person, { mentions }: Message): boolean {
  return mentions.all || mentions.ids.has(id)
}

/** A file belongs to whoever uploaded it, and to the readers of each message that has it. */
export function mayOpen(world: World, person: Person, ownerId: number, file: string): boolean {
  if (!person.active) return false
  const having = [...world.messages.values()].filter(({ content }) => content.includes(file))
  return person.id === ownerId || having.some((message) => mayRead(world, person, message))
}
