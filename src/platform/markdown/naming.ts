import type { Lookups } from './types.ts'

/**
 * How much a text may name. What is beyond stays text: it is not even looked up, as that can cost
 * as much as a walk through all subgroups of a group.
 */
export const namingLimits = {
  /** Mentions, and links to channels and topics, however often the same. */
  all: 1000,
  people: 500,
  groups: 50,
  /** Topics whose newest message a link leads to; further links lead to the topic. */
  topics: 500,
  /** Linkifiers that may match, the first in their order: to compile one takes nearly a millisecond. */
  linkifiers: 100,
} as const

/** Lookups that look each name up once, and none any more once a limit is reached. */
export function limitedLookups(lookups: Lookups): Lookups {
  const people = new Set<number>()
  const meet = <T extends { readonly id: number }>(user: T | undefined): T | undefined => {
    if (user) people.add(user.id)
    return user
  }
  const hasRoom = () => people.size < namingLimits.people
  let groups = 0
  let topics = 0
  const newest = known((key: string) => {
    if (topics++ >= namingLimits.topics) return undefined
    const [channelId = ''] = key.split(' ', 1)
    return lookups.newestInTopic(Number(channelId), key.slice(channelId.length + 1))
  })
  return {
    ...lookups,
    usersByName: known((name: string) => {
      if (!hasRoom()) return []
      const found = lookups.usersByName(name)
      meet(found.find(({ isActive }) => isActive) ?? found[0])
      return found
    }),
    userById: known((id: number) => (hasRoom() ? meet(lookups.userById(id)) : undefined)),
    groupByName: known((name: string) => {
      const group = groups < namingLimits.groups ? lookups.groupByName(name) : undefined
      if (group) groups++
      return group
    }),
    channelByName: known((name: string) => lookups.channelByName(name)),
    newestInTopic: (channelId, topic) => newest(`${channelId} ${topic}`),
    customEmoji: known((name: string) => lookups.customEmoji(name)),
  }
}

function known<K, T>(find: (key: K) => T): (key: K) => T {
  let found: Map<K, T> | undefined
  return (key) => {
    found ??= new Map()
    if (!found.has(key)) found.set(key, find(key))
    return found.get(key) as T
  }
}
