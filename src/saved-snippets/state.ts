import type { StatePart } from '#events/state.ts'
import { list } from '#shape.ts'
import { savedSnippetJson } from './events.ts'
import { listSavedSnippets } from './queries.ts'
import { savedSnippetShape } from './shapes.ts'

export const savedSnippetsState: StatePart = {
  types: ['saved_snippets'],
  shape: { saved_snippets: list(savedSnippetShape) },
  read: ({ store, user }) => ({
    saved_snippets: listSavedSnippets(store, user.id).map(savedSnippetJson),
  }),
}
