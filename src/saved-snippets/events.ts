import type { Shaped } from '#shape.ts'
import type { SavedSnippet } from './queries.ts'
import type { savedSnippetShape } from './shapes.ts'

/** A saved snippet on the wire. @source api-changes §6 */
export type SavedSnippetJson = Shaped<typeof savedSnippetShape>

/** A user's saved snippets changed; to all their clients. @source api-changes §4 */
export type SavedSnippetsEvent =
  | { type: 'saved_snippets'; op: 'add' | 'update'; saved_snippet: SavedSnippetJson }
  | { type: 'saved_snippets'; op: 'remove'; saved_snippet_id: number }

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
