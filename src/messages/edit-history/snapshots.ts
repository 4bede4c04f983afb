import { diffWordsWithSpace } from 'diff'
import { escapeHtml } from '#markdown/render.ts'
import type { Message } from '#messages/queries.ts'
import type { snapshot } from '#messages/shapes.ts'
import type { Shaped } from '#shape.ts'
import type { EditHistoryEntry } from '#store/schema.ts'

/** A message as it was after one of its edits. @source contract, "Message edit snapshot" */
export type Snapshot = Shaped<typeof snapshot>

/**
 * A message's history from its first form to its present one.
 *
 * @param visible `moves`: the realm shows where messages went, but not what they said
 * @param shown the form in which the caller wants topics
 */
export function snapshots(
  message: Message,
  visible: 'all' | 'moves',
  shown: (topic: string) => string,
): Snapshot[] {
  let { content, renderedContent, topic } = message
  const list: Snapshot[] = []
  for (const entry of visibleEntries(message, visible)) {
    const { prev_topic, prev_content = content, prev_rendered_content = renderedContent } = entry
    list.push({
      topic: shown(topic),
      content,
      rendered_content: renderedContent,
      timestamp: entry.timestamp,
      user_id: entry.user_id,
      ...(prev_topic !== undefined && { prev_topic: shown(prev_topic) }),
      ...(entry.prev_stream !== undefined && {
        stream: entry.stream,
        prev_stream: entry.prev_stream,
      }),
      ...(entry.prev_content !== undefined && {
        prev_content,
        prev_rendered_content,
        content_html_diff: contentDiff(prev_content, content),
      }),
    })
    content = prev_content
    renderedContent = prev_rendered_content
    topic = prev_topic ?? topic
  }
  list.push({
    topic: shown(topic),
    content,
    rendered_content: renderedContent,
    timestamp: message.sentAt,
    user_id: message.senderId,
  })
  return list.reverse()
}

/** The edits that a realm lets its users see, newest first. */
export function visibleEntries(message: Message, visible: 'all' | 'moves'): EditHistoryEntry[] {
  const entries = message.editHistory ?? []
  if (visible === 'all') return entries
  return entries
    .filter(({ prev_topic, prev_stream }) => prev_topic !== undefined || prev_stream !== undefined)
    .map(({ prev_content: _, prev_rendered_content: __, ...entry }) => entry)
}

/** What changed from one source to the next, word by word, as HTML. */
function contentDiff(before: string, after: string): string {
  return diffWordsWithSpace(before, after)
    .map(({ value, added, removed }) => {
      const html = escapeHtml(value).replaceAll('\n', '<br>')
      if (added) return `<span class="highlight_text_inserted">${html}</span>`
      if (removed) return `<span class="highlight_text_deleted">${html}</span>`
      return html
    })
    .join('')
}
