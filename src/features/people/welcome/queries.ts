import type { MessagePlace } from '#features/foundation/read-state/actions.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/store.ts'

const newest = preparedSql<MessagePlace>(`
  SELECT m.id, m.recipient_id AS recipientId
  FROM json_each(@recipientIds) AS place
  JOIN messages AS m ON m.id IN (
    SELECT id FROM messages WHERE recipient_id = place.value ORDER BY id DESC LIMIT @scanned
  )
  JOIN users AS u ON u.id = m.sender_id
  WHERE u.bot_type IS NULL
  ORDER BY m.id DESC LIMIT @most
`)

/** How far back it is looked in each channel: bots may have written all that is newer. */
const scanned = 200

/** The newest messages of people for these recipients together, newest first. */
export function listNewestOfPeople(
  read: Read,
  recipientIds: readonly number[],
  most: number,
): MessagePlace[] {
  return newest(read).all({ recipientIds: JSON.stringify(recipientIds), scanned, most })
}
