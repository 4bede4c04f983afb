import type { EventOf, Shaped } from '#platform/shape.ts'
import type { SavedSnippet } from './queries.ts'
import type { savedSnippetEventShapes, savedSnippetShape } from './shapes.ts'

/** A saved snippet on the wire. @source Zulip API, "Get all saved snippets" */
export type SavedSnippetJson = Shaped<typeof savedSnippetShape>

/**
 * A user's saved snippets changed; sent to that user.
 *
 * @source Zulip API, "Get events", type "saved_snippets"
 */
export type SavedSnippetsEvent = EventOf<typeof savedSnippetEventShapes, 'saved_snippets'>

export function savedSnippetJson(snippet: SavedSnippet): SavedSnippetJson {
  const { id, title, content, dateCreated } = snippet
  return { id, title, content, date_created: dateCreated }
}

export function savedSnippetEvent(op: 'add' | 'update', snippet: SavedSnippet): SavedSnippetsEvent {
  return { type: 'saved_snippets', op, saved_snippet: savedSnippetJson(snippet) }
}

export function savedSnippetRemoveEvent(id: number): SavedSnippetsEvent {
  return { type: 'saved_snippets', op: 'remove', saved_snippet_id: id }
}
