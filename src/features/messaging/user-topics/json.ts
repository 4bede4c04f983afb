import { canAccessMetadata } from '#features/foundation/channels/access.ts'
import { type Channel, findChannel } from '#features/foundation/channels/queries.ts'
import { shownTopic } from '#features/foundation/recipients/topics.rules.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { visibilityPolicies } from '#platform/store/schema.ts'
import type { Read } from '#platform/store/store.ts'
import type { MutedTopicJson } from './events.ts'
import { listUserTopics, type UserTopic } from './queries.ts'

/** A user's topic policies in the channels that the user can still see. */
export function listKnownTopics(
  read: Read,
  user: User,
  includeArchived: boolean,
): { row: UserTopic; channel: Channel }[] {
  const visible = new Map<number, Channel | undefined>()
  const channelOf = (id: number) => {
    if (!visible.has(id)) {
      const channel = findChannel(read, id)
      const isVisible =
        channel &&
        (includeArchived || !channel.isArchived) &&
        canAccessMetadata(read, user, channel)
      visible.set(id, isVisible ? channel : undefined)
    }
    return visible.get(id)
  }
  return listUserTopics(read, user.id).flatMap((row) => {
    const channel = channelOf(row.channelId)
    return channel ? [{ row, channel }] : []
  })
}

/** The muted topics of a user in the deprecated form. */
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
