import type { StatePart } from '#events/state.ts'
import { savedSnippetJson } from './events.ts'
import { listSavedSnippets } from './queries.ts'

export const savedSnippetsState: StatePart = {
  types: ['saved_snippets'],
  read: ({ store, user }) => ({
    saved_snippets: listSavedSnippets(store, user.id).map(savedSnippetJson),
  }),
}
