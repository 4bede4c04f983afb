import type { Message } from '#features/messages/queries.ts'
import type { snapshot } from '#features/messages/shapes.ts'
import { escapeHtml } from '#platform/markdown/render.ts'
import type { Shaped } from '#platform/shape.ts'
import type { EditHistoryEntry } from '#platform/store/schema.ts'
import { type DiffBudget, differences, newDiffBudget } from './differences.ts'

/** A message after one of its edits. @source Zulip API, "Get a message's edit history" */
export type Snapshot = Shaped<typeof snapshot>

/**
 * A message's versions, from the original to the current one.
 *
 * @param visible whether the realm shows all edits, or only moves without changes of content
 * @param shown converts topics to the form that the caller requests
 */
export function snapshots(
  message: Message,
  visible: 'all' | 'moves',
  shown: (topic: string) => string,
): Snapshot[] {
  let { content, renderedContent, topic } = message
  const list: Snapshot[] = []
  const budget = newDiffBudget()
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
        content_html_diff: contentDiff(prev_content, content, budget),
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

/** The edits that the realm shows, newest first. */
export function visibleEntries(message: Message, visible: 'all' | 'moves'): EditHistoryEntry[] {
  const entries = message.editHistory ?? []
  if (visible === 'all') return entries
  return entries
    .filter(({ prev_topic, prev_stream }) => prev_topic !== undefined || prev_stream !== undefined)
    .map(({ prev_content: _, prev_rendered_content: __, ...entry }) => entry)
}

/** The difference between two sources, word by word, as HTML. */
function contentDiff(before: string, after: string, budget: DiffBudget): string {
  return differences(before, after, budget)
    .map(({ text, change }) => {
      const html = escapeHtml(text).replaceAll('\n', '<br>')
      return change === 'none' ? html : `<span class="highlight_text_${change}">${html}</span>`
    })
    .join('')
}
