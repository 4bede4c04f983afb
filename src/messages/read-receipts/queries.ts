import { findChannelByRecipient } from '#channels/queries.ts'
import type { Message } from '#messages/queries.ts'
import { listMutedUsers, listMuters } from '#muted-users/queries.ts'
import { listChannelReaders, listDirectReaders, wasSubscribedAt } from '#read-state/readers.ts'
import { preparedSql } from '#store/prepared.ts'
import type { Read } from '#store/write.ts'
import { canAccessAllUsers, canAccessUser } from '#users/access.ts'
import { findUser, type User } from '#users/queries.ts'

const shy = preparedSql<{ id: number }>(`
  SELECT reader.value AS id FROM json_each(@ids) reader
  JOIN user_settings s ON s.user_id = reader.value AND s.name = 'send_read_receipts'
  WHERE s.value = 'false'
`)

const inactive = preparedSql<{ id: number }>('SELECT id FROM users WHERE NOT is_active')

/**
 * Who has read a message, as far as they tell and the viewer may know; ascending, never its sender.
 *
 * @source the API description of `GET /messages/{message_id}/read_receipts`
 */
export function listReceipts(read: Read, viewer: User, message: Message): number[] {
  const readers = listReaders(read, message)
  const hidden = new Set([message.senderId, ...listMuters(read, viewer.id)])
  for (const { mutedId } of listMutedUsers(read, viewer.id)) hidden.add(mutedId)
  for (const { id } of inactive(read).all({})) hidden.add(id)
  for (const { id } of shy(read).all({ ids: JSON.stringify(readers) })) hidden.add(id)
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
  // Where a message was moved to, it is read for all who did not have it before.
  const before = (message.editHistory ?? []).flatMap((entry) => entry.prev_stream ?? [])
  return listChannelReaders(read, channel.id, message.id).filter((userId) =>
    before.every((channelId) => wasSubscribedAt(read, userId, channelId, message.id)),
  )
}
