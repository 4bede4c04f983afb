import { choice, event, integer, named, string, timestamp } from '#shape.ts'

/** @source api-changes §6 */
export const savedSnippetShape = named('SavedSnippet', {
  id: integer,
  title: string,
  content: string,
  date_created: timestamp,
})

export const savedSnippetEventShapes = [
  event('SavedSnippetsEvent', 'saved_snippets', {
    op: choice('add', 'update'),
    saved_snippet: savedSnippetShape,
  }),
  event('SavedSnippetsRemoveEvent', 'saved_snippets', {
    op: choice('remove'),
    saved_snippet_id: integer,
  }),
]
