import type { StatePart } from '#platform/events/state.ts'
import * as shape from '#platform/shape.ts'
import { savedSnippetJson } from './events.ts'
import { listSavedSnippets } from './queries.ts'
import { savedSnippetShape } from './shapes.ts'

export const savedSnippetsState = {
  types: ['saved_snippets'],
  members: { saved_snippets: shape.list(savedSnippetShape) },
  read: ({ store, user }) => ({
    saved_snippets: listSavedSnippets(store, user.id).map(savedSnippetJson),
  }),
} satisfies StatePart
