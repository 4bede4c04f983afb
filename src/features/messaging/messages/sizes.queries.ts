import { htmlBytes } from '#features/foundation/core/rows.queries.ts'
import { slices } from '#platform/slices.ts'
import type { Steps } from '#platform/steps.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/store.ts'

/** The sizes of these without their contents, in bytes. */
const frames = { submessage: 100, reaction: 200, edit: 100 } as const

/** The most that a message shows of its edits, in bytes; no more edits than that are counted. */
const mostOfEdits = 32 * 1024

// The lengths are in the headers of rows, so no content is read.
const sizes = preparedSql<{ id: number; bytes: number }>(`
  SELECT id, octet_length(content) + ${htmlBytes}
    + coalesce((
        SELECT sum(octet_length(content) + ${frames.submessage})
        FROM submessages WHERE message_id = messages.id
      ), 0)
    + coalesce((
        SELECT min(${mostOfEdits}, sum(${frames.edit}
          + coalesce(octet_length(prev_content) + octet_length(prev_rendered_content), 0)))
        FROM (
          SELECT prev_content, prev_rendered_content
          FROM message_edits WHERE message_id = messages.id
          LIMIT ${Math.ceil(mostOfEdits / frames.edit)}
        )
      ), 0)
    + ${frames.reaction} * (SELECT count(*) FROM reactions WHERE message_id = messages.id) AS bytes
  FROM messages WHERE id IN (SELECT value FROM json_each(@ids))
`)

/** The sizes of messages with their votes, reactions and visible edits, in bytes, by ID. */
export function* messageSizes(read: Read, ids: readonly number[]): Steps<Map<number, number>> {
  const found = new Map<number, number>()
  for (const some of slices(ids, slice)) {
    const rows = sizes(read).all({ ids: JSON.stringify(some) })
    for (const { id, bytes } of rows) found.set(id, bytes)
    yield
  }
  return found
}

/** How many messages are looked up at a time. */
const slice = 500
