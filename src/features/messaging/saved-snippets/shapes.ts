import * as shape from '#platform/shape.ts'

/** @source Zulip API, "Get all saved snippets" */
export const savedSnippetShape = shape.named('SavedSnippet', {
  id: shape.integer,
  title: shape.string,
  content: shape.string,
  date_created: shape.timestamp,
})

export const savedSnippetEventShapes = [
  shape.event('SavedSnippetsEvent', 'saved_snippets', {
    op: shape.choice('add', 'update'),
    saved_snippet: savedSnippetShape,
  }),
  shape.event('SavedSnippetsRemoveEvent', 'saved_snippets', {
    op: shape.choice('remove'),
    saved_snippet_id: shape.integer,
  }),
]
