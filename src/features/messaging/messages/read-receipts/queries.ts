import { findChannelByRecipient } from '#features/foundation/channels/queries.ts'
import type { Message } from '#features/foundation/core/queries.ts'
import {
  listChannelReaders,
  listDirectReaders,
} from '#features/foundation/read-state/readers.queries.ts'
import { canAccessAllUsers, canAccessUser } from '#features/foundation/users/access.ts'
import { listMutedUsers, listMuters } from '#features/foundation/users/muting.queries.ts'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/store.ts'

const withoutReceipts = preparedSql<{ id: number }>(`
  SELECT reader.value AS id FROM json_each(@ids) reader
  JOIN user_settings s ON s.user_id = reader.value AND s.name = 'send_read_receipts'
  WHERE s.value = 'false'
`)

const inactive = preparedSql<{ id: number }>('SELECT id FROM users WHERE NOT is_active')

/**
 * Ids of the users who have read a message, ascending. Leaves out its sender, users who do not send
 * read receipts, deactivated users, users whom the viewer cannot access, and users who muted the
 * viewer or whom the viewer muted.
 *
 * @source Zulip API, "Get a message's read receipts"
 */
export function listReceipts(read: Read, viewer: User, message: Message): number[] {
  const readers = listReaders(read, message)
  const hidden = new Set([message.senderId, ...listMuters(read, viewer.id)])
  for (const { mutedId } of listMutedUsers(read, viewer.id)) hidden.add(mutedId)
  for (const { id } of inactive(read).all({})) hidden.add(id)
  for (const { id } of withoutReceipts(read).all({ ids: JSON.stringify(readers) })) hidden.add(id)
  const shown = readers.filter((id) => !hidden.has(id))
  if (canAccessAllUsers(read, viewer)) return shown
  return shown.filter((id) => {
    const user = findUser(read, id)
    return user !== undefined && canAccessUser(read, viewer, user)
  })
}

function listReaders(read: Read, message: Message): number[] {
  const channel = findChannelByRecipient(read, message.recipientId)
  if (!channel) return listDirectReaders(read, message.recipientId, message.id)
  return listChannelReaders(read, channel.id, message.id)
}
