import { limits } from '#features/foundation/realm/limits.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { int, optional, tidied, word } from '#platform/http/params.ts'
import { limitsText } from '#platform/quotas/room.ts'
import * as shape from '#platform/shape.ts'
import * as actions from './actions.ts'
import { savedSnippetJson } from './events.ts'
import { listSavedSnippets } from './queries.ts'
import { snippetQuota } from './quotas.ts'
import { savedSnippetShape } from './shapes.ts'

const title = tidied(word(1000), limits.snippetTitleLength)
/** In UTF-16 code units; the action counts code points. */
const content = tidied(word(2 * limits.messageLength), limits.messageLength)

/** @source Zulip API, "Get all saved snippets" (feature level 297) */
export const getSavedSnippets = endpoint({
  method: 'get',
  path: '/saved_snippets',
  summary: "List the caller's saved snippets.",
  params: {},
  reply: { saved_snippets: shape.list(savedSnippetShape) },
  run: ({ store, user }) => ({
    saved_snippets: listSavedSnippets(store, user.id).map(savedSnippetJson),
  }),
})

/** @source Zulip API, "Create a saved snippet" (feature level 297) */
export const createSavedSnippet = endpoint({
  method: 'post',
  path: '/saved_snippets',
  summary: 'Save a snippet: a text to reuse.',
  description: limitsText(snippetQuota),
  params: { title, content },
  reply: { saved_snippet_id: shape.integer },
  run: async ({ store }, p) => ({
    saved_snippet_id: await store.write((tx, user) => actions.createSavedSnippet(tx, user, p)),
  }),
})

/** @source Zulip API, "Edit a saved snippet" (feature level 368) */
export const editSavedSnippet = endpoint({
  method: 'patch',
  path: '/saved_snippets/:saved_snippet_id{[0-9]+}',
  summary: 'Change a saved snippet.',
  params: { saved_snippet_id: int(), title: optional(title), content: optional(content) },
  errors: ['NOT_FOUND'],
  reply: {},
  run: ({ store }, { saved_snippet_id: id, ...change }) =>
    store.write((tx, user) => actions.editSavedSnippet(tx, user, id, change)),
})

/** @source Zulip API, "Delete a saved snippet" (feature level 297) */
export const removeSavedSnippet = endpoint({
  method: 'delete',
  path: '/saved_snippets/:saved_snippet_id{[0-9]+}',
  summary: 'Remove a saved snippet.',
  params: { saved_snippet_id: int() },
  errors: ['NOT_FOUND'],
  reply: {},
  run: ({ store }, p) =>
    store.write((tx, user) => actions.removeSavedSnippet(tx, user, p.saved_snippet_id)),
})
