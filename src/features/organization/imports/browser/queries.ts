import { preparedSql } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/store.ts'

/** How many messages are checked: an organization with more is in use, whoever wrote them. */
const most = 1000

const first = preparedSql<{ readonly isBot: number }>(`
  SELECT users.bot_type IS NOT NULL AS isBot
  FROM messages JOIN users ON users.id = messages.sender_id
  ORDER BY messages.id LIMIT ${most}`)

/** Whether no person has written anything yet; welcome messages of bots do not count. */
export function isUnused(read: Read): boolean {
  const rows = first(read).all({})
  return rows.length < most && rows.every(({ isBot }) => isBot === 1)
}
