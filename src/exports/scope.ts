import { inHistory, visibleHistory } from '#channels/access.ts'
import { findChannelByRecipient } from '#channels/queries.ts'
import { directMemberIds } from '#recipients/queries.ts'
import type { Read } from '#store/write.ts'
import type { Span } from '#subscriptions/queries.ts'
import { listUsers, type User } from '#users/queries.ts'
import { userSetting } from '#users/settings.ts'
import type { ExportType } from './queries.ts'

/** The people who let an export have what is private to them. */
export function listConsenting(read: Read): User[] {
  return listUsers(read).filter(
    ({ id, isActive, botType }) =>
      isActive && botType === null && userSetting(read, id, 'allow_private_data_export'),
  )
}

/**
 * Which messages belong into an export: those of public channels, and where people consent also all
 * that any of them may read.
 *
 * @source api-changes §3d, `POST /export/realm` (feature levels 304, 449)
 */
export function exportScope(
  read: Read,
  type: ExportType,
): (message: { id: number; recipientId: number }) => boolean {
  const consenting = type === 'public' ? [] : listConsenting(read)
  const known = new Map<number, readonly ('all' | readonly Span[])[]>()
  return ({ id, recipientId }) => {
    let histories = known.get(recipientId)
    if (!histories) {
      histories = historiesOf(read, recipientId, consenting)
      known.set(recipientId, histories)
    }
    return histories.some((history) => inHistory(history, id))
  }
}

function historiesOf(
  read: Read,
  recipientId: number,
  consenting: readonly User[],
): ('all' | readonly Span[])[] {
  const channel = findChannelByRecipient(read, recipientId)
  if (channel && !channel.isPrivate) return ['all']
  if (channel) return consenting.map((user) => visibleHistory(read, user, channel))
  const people = new Set(directMemberIds(read, recipientId))
  return consenting.some(({ id }) => people.has(id)) ? ['all'] : []
}
