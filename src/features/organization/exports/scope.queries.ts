import { type History, inHistory, visibleHistory } from '#features/foundation/channels/access.ts'
import { findChannelByRecipient } from '#features/foundation/channels/queries.ts'
import { directMemberIds } from '#features/foundation/recipients/queries.ts'
import { listUsers, type User } from '#features/foundation/users/queries.ts'
import { userSetting } from '#features/foundation/users/settings.queries.ts'
import type { Read } from '#platform/store/store.ts'
import type { ExportType } from './queries.ts'

/** The users who consent to the export of their private data. */
export function listConsenting(read: Read): User[] {
  return listUsers(read).filter(
    ({ id, isActive, botType }) =>
      isActive && botType === null && userSetting(read, id, 'allow_private_data_export'),
  )
}

/**
 * Returns whether a message belongs in an export: messages in public channels, and with
 * `full_with_consent` also those that a consenting user can read.
 *
 * @source Zulip API, "Create a data export" (feature levels 304, 449)
 */
export function exportScope(
  read: Read,
  type: ExportType,
): (message: { id: number; recipientId: number }) => boolean {
  if (type === 'everything') return () => true
  const consenting = type === 'public' ? [] : listConsenting(read)
  const known = new Map<number, readonly History[]>()
  return ({ id, recipientId }) => {
    let histories = known.get(recipientId)
    if (!histories) {
      histories = historiesOf(read, recipientId, consenting)
      known.set(recipientId, histories)
    }
    return histories.some((history) => inHistory(history, id))
  }
}

function historiesOf(read: Read, recipientId: number, consenting: readonly User[]): History[] {
  const channel = findChannelByRecipient(read, recipientId)
  if (channel && !channel.isPrivate) return ['all']
  if (channel) return consenting.map((user) => visibleHistory(read, user, channel))
  const people = new Set(directMemberIds(read, recipientId))
  return consenting.some(({ id }) => people.has(id)) ? ['all'] : []
}
