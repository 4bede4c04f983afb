import { wakeJobs } from '#platform/jobs/wake.ts'
import { slicesBySize } from '#platform/slices.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import { hasRoom } from '#platform/store/reserve.ts'
import { hasFurtherWords, indexedText } from '#platform/store/search-text.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import type { Message } from './rows.queries.ts'

/** How many messages enter the index at a time: each time writes a segment, to be merged later. */
const messagesAtOnce = 512

/**
 * The bytes of content and HTML that enter it at a time, unless a single message has more: nobody
 * else is served meanwhile.
 */
const bytesAtOnce = 256 * 1024

/** With so many bytes missing in the index, a job adds them, besides the commits. */
const mostMissingBytes = 4 * bytesAtOnce

/** What this number of long messages takes in the index and the log at most, in bytes. */
const roomForIndex = 16 * 1024 * 1024

/**
 * About how much text of this process is missing in the index, in code units. What was missing when
 * the process started does not count, and what was rolled back does: the number of messages bounds
 * that.
 */
const missing = perDatabase(() => ({ length: 0 }))

/** Adds a new message to the full-text index in this commit or a later one, with many others. */
export function indexLater(
  tx: Tx,
  { content, renderedContent }: Pick<Message, 'content' | 'renderedContent'>,
): void {
  const text = missing(tx)
  const before = text.length
  text.length += content.length + renderedContent.length
  if (before < mostMissingBytes && text.length >= mostMissingBytes) wakeJobs(tx)
  tx.beforeCommit(indexMany)
}

function indexMany(read: Read): void {
  const lag = indexLag(read)
  const isDue = lag >= messagesAtOnce || missing(read).length >= bytesAtOnce
  if (isDue && lag < 2 * messagesAtOnce && hasRoomForIndex(read)) indexSome(read)
}

const unindexed = preparedSql<{ id: number; bytes: number }>(`
  SELECT id, octet_length(content) + coalesce(octet_length(rendered_content), 0) AS bytes
  FROM messages WHERE id > (SELECT coalesce(max(id), 0) FROM messages_fts_docsize)
  ORDER BY id LIMIT ${messagesAtOnce}
`)

/** Adds the oldest messages that are missing in the index to it: as many as take a short time. */
export function indexSome(read: Read): void {
  const [some = []] = slicesBySize(unindexed(read).iterate({}), bytesAtOnce, ({ bytes }) => bytes)
  if (some.length > 0) indexMessages(read, some.length)
  const text = missing(read)
  const bytes = some.reduce((sum, row) => sum + row.bytes, 0)
  text.length = indexLag(read) === 0 ? 0 : Math.max(0, text.length - bytes)
}

const indexNew = preparedSql(`
  INSERT INTO messages_fts (rowid, content, topic)
  SELECT id, search_text(content, rendered_content), search_text(topic) FROM messages
  WHERE id > (SELECT coalesce(max(id), 0) FROM messages_fts_docsize)
  ORDER BY id LIMIT @most
`)

/**
 * Adds messages to the full-text index that are newer than those already in it, the oldest first.
 *
 * @param most how many; default: all
 */
export function indexMessages(read: Read, most = -1): void {
  indexNew(read).run({ most })
}

const newest = preparedSql<{ id: number; indexed: number }>(`
  SELECT (SELECT coalesce(max(id), 0) FROM messages) AS id,
    (SELECT coalesce(max(id), 0) FROM messages_fts_docsize) AS indexed
`)

/** The ID of the newest message in the full-text index; 0 if it has none. */
export function newestIndexed(read: Read): number {
  return newest(read).get({})?.indexed ?? 0
}

/** By how many message IDs the full-text index is behind; 0 if it has all messages. */
export function indexLag(read: Read): number {
  const { id = 0, indexed = 0 } = newest(read).get({}) ?? {}
  return Math.max(0, id - indexed)
}

/** Whether the disk has room for more of the index. What is missing is indexed once it has. */
export const hasRoomForIndex = ({ db }: Read): boolean => hasRoom(db.$client, roomForIndex)

/** Whether so many messages are missing in the index that searches do not wait for them. */
export const isFarBehind = (read: Read): boolean => indexLag(read) >= 2 * messagesAtOnce

/** Whether so much is missing in the index that a job fills it, in steps. */
export const needsFilling = (read: Read): boolean =>
  missing(read).length >= mostMissingBytes || isFarBehind(read)

/** How many messages of an earlier version are looked through at a time. */
const updatedAtOnce = 200

const outdated = preparedSql<{ untilId: number }>('SELECT until_id AS untilId FROM search_updates')
const olderSizes = preparedSql<{ id: number; bytes: number }>(`
  SELECT id, octet_length(content) + coalesce(octet_length(rendered_content), 0) AS bytes
  FROM messages WHERE id <= @untilId ORDER BY id DESC LIMIT ${updatedAtOnce}
`)
const olderTexts = preparedSql<{
  id: number
  content: string
  html: string | null
  topic: string
}>(`
  SELECT id, content, rendered_content AS html, topic FROM messages
  WHERE id <= @untilId ORDER BY id DESC LIMIT @most
`)
const indexAgain = preparedSql(`
  UPDATE messages_fts SET content = @content, topic = @topic WHERE rowid = @id
`)
const updatedUntil = preparedSql('UPDATE search_updates SET until_id = @untilId')
const allUpdated = preparedSql('DELETE FROM search_updates')

/** Whether messages may be in the full-text index by the form of an earlier version. */
export function isIndexOutdated(read: Read): boolean {
  return outdated(read).get({}) !== undefined
}

/**
 * Brings such messages up to date in the full-text index, the newest first: as many as take a short
 * time.
 */
export function updateIndex(tx: Tx): void {
  const untilId = outdated(tx).get({})?.untilId
  if (untilId === undefined) return
  const sizes = olderSizes(tx).iterate({ untilId })
  const [some = []] = slicesBySize(sizes, bytesAtOnce, ({ bytes }) => bytes)
  for (const { id, content, html, topic } of olderTexts(tx).all({ untilId, most: some.length })) {
    if (!hasFurtherWords(content, html) && !hasFurtherWords(topic, null)) continue
    indexAgain(tx).run({ id, content: indexedText(content, html), topic: indexedText(topic) })
  }
  const last = some.at(-1)
  if (last) updatedUntil(tx).run({ untilId: last.id - 1 })
  else allUpdated(tx).run({})
}
