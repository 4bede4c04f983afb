import { canAccessMetadata } from '#channels/access.ts'
import { type Channel, findChannel } from '#channels/queries.ts'
import type { Read } from '#store/write.ts'
import { shownTopic } from '#topics/names.ts'
import type { User } from '#users/queries.ts'
import type { MutedTopicJson } from './events.ts'
import { listUserTopics, type UserTopic, visibilityPolicies } from './queries.ts'

/** A user's wishes for topics of channels that the user still knows of. */
export function listKnownTopics(
  read: Read,
  user: User,
  includeArchived: boolean,
): { row: UserTopic; channel: Channel }[] {
  const known = new Map<number, Channel | undefined>()
  const channelOf = (id: number) => {
    if (!known.has(id)) {
      const channel = findChannel(read, id)
      const isKnown =
        channel &&
        (includeArchived || !channel.isArchived) &&
        canAccessMetadata(read, user, channel)
      known.set(id, isKnown ? channel : undefined)
    }
    return known.get(id)
  }
  return listUserTopics(read, user.id).flatMap((row) => {
    const channel = channelOf(row.channelId)
    return channel ? [{ row, channel }] : []
  })
}

/** The muted topics of a user, as old clients know them. */
export function mutedTopicsJson(
  read: Read,
  user: User,
  allowEmptyTopicName: boolean,
): MutedTopicJson[] {
  return listKnownTopics(read, user, false)
    .filter(({ row }) => row.policy === visibilityPolicies.muted)
    .map(({ row, channel }) => [
      channel.name,
      shownTopic(read, row.topic, allowEmptyTopicName),
      row.lastUpdated,
    ])
}
