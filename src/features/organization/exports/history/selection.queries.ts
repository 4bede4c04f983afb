import { type Channel, listChannels, subscriberIds } from '#features/foundation/channels/queries.ts'
import { directMemberIds } from '#features/foundation/recipients/queries.ts'
import { listUsers } from '#features/foundation/users/queries.ts'
import { exportScope, listConsenting } from '#features/organization/exports/scope.queries.ts'
import type { Read } from '#platform/store/store.ts'
import type { HistoryScope } from './scopes.ts'

/** The selection for an export of the history. */
export interface Selection {
  /** By ID. */
  readonly channels: readonly Channel[]
  hasMessage(message: { readonly id: number; readonly recipientId: number }): boolean
  /**
   * Whether it has the data that only this user can see: flags, read state, mutes, snippets and the
   * like.
   */
  hasPrivateDataOf(userId: number): boolean
  /** Whether it has this direct conversation. */
  hasConversation(recipientId: number): boolean
}

export function selectHistory(read: Read, scope: HistoryScope): Selection {
  const channels = listChannels(read)
  if (scope === 'everything') {
    return {
      channels,
      hasMessage: () => true,
      hasPrivateDataOf: () => true,
      hasConversation: () => true,
    }
  }
  const people = scope === 'public' ? [] : listConsenting(read).map(({ id }) => id)
  const consenting = new Set(people)
  // A bot's data are its owner's.
  for (const { id, botOwnerId } of listUsers(read)) {
    if (botOwnerId !== null && consenting.has(botOwnerId)) consenting.add(id)
  }
  const isConsenting = (id: number) => consenting.has(id)
  return {
    channels: channels.filter(
      (channel) => !channel.isPrivate || subscriberIds(read, channel.id).some(isConsenting),
    ),
    hasMessage: exportScope(read, scope),
    hasPrivateDataOf: isConsenting,
    hasConversation: (recipientId) => directMemberIds(read, recipientId).some(isConsenting),
  }
}
