import type { editHistoryEntry } from '#features/messaging/messages/shapes.ts'
import type { Shaped } from '#platform/shape.ts'
import type { Read } from '#platform/store/store.ts'
import {
  type Edit,
  type EditContents,
  type EditSize,
  editSizesOf,
  findEditContents,
  listEdited,
  type ShownEdits,
} from './queries.ts'

/** An entry of a message's `edit_history`. @source Zulip API, "Get messages" */
export type EditHistoryEntry = Shaped<typeof editHistoryEntry>

/** How much text the edit histories of messages in a reply hold, in bytes. */
export const entryBounds = { perMessage: 32 * 1024, perReply: 2 * 1024 * 1024 } as const

/** The size of an entry without its texts, in bytes. */
const bytesPerEntry = 100

/**
 * The edit histories of those messages of a page that have one, by message id; newest entry first.
 *
 * All messages of the page that were ever changed share `entryBounds.perReply` evenly, up to
 * `entryBounds.perMessage` each. The oldest entries of a longer history are left out; the newest is
 * always there, but without contents that are too long by themselves.
 *
 * @param replyLength the number of messages in the reply; the page gets its share of the bytes
 */
export function editHistories(
  read: Read,
  page: readonly { readonly id: number }[],
  shown: ShownEdits,
  replyLength = page.length,
): Map<number, EditHistoryEntry[]> {
  const ids = listEdited(read, page)
  const shared = entryBounds.perReply * (page.length / replyLength)
  const bytes = Math.min(entryBounds.perMessage, Math.floor(shared / ids.length))
  const histories = new Map<number, EditHistoryEntry[]>()
  for (const id of ids) {
    const entries = newestEntries(read, id, shown, bytes)
    if (entries.length > 0) histories.set(id, entries)
  }
  return histories
}

function newestEntries(
  read: Read,
  messageId: number,
  shown: ShownEdits,
  bytes: number,
): EditHistoryEntry[] {
  const edits: EditSize[] = []
  let left = bytes
  for (const edit of editSizesOf(read, messageId, shown)) {
    left -= sizeOf(edit)
    if (left < 0) {
      if (edits.length === 0) return [entryJson(edit)]
      break
    }
    edits.push(edit)
  }
  return edits.map((edit) => {
    const contents = edit.contentBytes === null ? undefined : findEditContents(read, edit.id)
    return entryJson({ ...edit, ...contents })
  })
}

function sizeOf({ prevTopic, topic, contentBytes }: EditSize): number {
  const topics = Buffer.byteLength(prevTopic ?? '') + Buffer.byteLength(topic ?? '')
  return bytesPerEntry + topics + (contentBytes ?? 0)
}

/** @param edit without contents, the entry has none */
export function entryJson(
  edit: Omit<Edit, keyof EditContents> & Partial<EditContents>,
): EditHistoryEntry {
  const { prevTopic, topic, prevChannelId, channelId, prevContent, prevRenderedContent } = edit
  return {
    user_id: edit.userId,
    timestamp: edit.editedAt,
    ...(prevContent != null && {
      prev_content: prevContent,
      prev_rendered_content: prevRenderedContent ?? '',
    }),
    ...(prevTopic !== null && { prev_topic: prevTopic, topic: topic ?? '' }),
    ...(prevChannelId !== null && { prev_stream: prevChannelId, stream: channelId ?? 0 }),
  }
}
