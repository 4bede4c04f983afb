import { endpoint } from '#http/endpoint.ts'
import { int, optional, word } from '#http/params.ts'
import { integer, list } from '#shape.ts'
import * as actions from './actions.ts'
import { savedSnippetJson } from './events.ts'
import { listSavedSnippets } from './queries.ts'
import { savedSnippetShape } from './shapes.ts'

const title = word(1000)
const content = word()

/** @source api-changes §2a */
export const getSavedSnippets = endpoint({
  method: 'get',
  path: '/saved_snippets',
  summary: "List the caller's saved snippets.",
  params: {},
  reply: { saved_snippets: list(savedSnippetShape) },
  run: ({ store, user }) => ({
    saved_snippets: listSavedSnippets(store, user.id).map(savedSnippetJson),
  }),
})

/** @source api-changes §2a */
export const createSavedSnippet = endpoint({
  method: 'post',
  path: '/saved_snippets',
  summary: 'Save a text for later use.',
  params: { title, content },
  reply: { saved_snippet_id: integer },
  run: async ({ store, user }, p) => ({
    saved_snippet_id: await store.write((tx) => actions.createSavedSnippet(tx, user, p)),
  }),
})

/** @source api-changes §2a (level 368) */
export const editSavedSnippet = endpoint({
  method: 'patch',
  path: '/saved_snippets/:saved_snippet_id{[0-9]+}',
  summary: 'Change a saved snippet.',
  params: { saved_snippet_id: int(), title: optional(title), content: optional(content) },
  errors: ['NOT_FOUND'],
  reply: {},
  run: ({ store, user }, { saved_snippet_id: id, ...change }) =>
    store.write((tx) => actions.editSavedSnippet(tx, user, id, change)),
})

/** @source api-changes §2a */
export const removeSavedSnippet = endpoint({
  method: 'delete',
  path: '/saved_snippets/:saved_snippet_id{[0-9]+}',
  summary: 'Remove a saved snippet.',
  params: { saved_snippet_id: int() },
  errors: ['NOT_FOUND'],
  reply: {},
  run: ({ store, user }, p) =>
    store.write((tx) => actions.removeSavedSnippet(tx, user, p.saved_snippet_id)),
})
