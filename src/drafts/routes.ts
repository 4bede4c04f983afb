import * as v from 'valibot'
import { endpoint } from '#http/endpoint.ts'
import { arrayOf, int, intArray, isInt, json, shortText, withDefault } from '#http/params.ts'
import { integer, list } from '#shape.ts'
import * as actions from './actions.ts'
import { draftJson } from './json.ts'
import { listDrafts } from './queries.ts'
import { draftShape } from './shapes.ts'

/** The most drafts in one request. */
const most = 1000

/** A draft without its `id`, which clients must not send. */
const draft = v.strictObject({
  type: v.picklist(['', 'stream', 'private']),
  to: intArray(1000),
  topic: shortText(1000),
  content: shortText(100_000),
  timestamp: v.optional(v.pipe(isInt, v.minValue(0))),
})

/** @source contract, "Draft"; the API description of `GET /drafts` */
export const getDrafts = endpoint({
  method: 'get',
  path: '/drafts',
  summary: "List the caller's drafts.",
  params: {},
  reply: { count: integer, drafts: list(draftShape) },
  run({ store, user }) {
    actions.requireSynchronization(store, user)
    const drafts = listDrafts(store, user.id).map(draftJson)
    return { count: drafts.length, drafts }
  },
})

/** @source contract, "Create drafts" */
export const createDrafts = endpoint({
  method: 'post',
  path: '/drafts',
  summary: 'Create drafts.',
  params: { drafts: withDefault(json(v.pipe(arrayOf(draft), v.maxLength(most))), []) },
  reply: { ids: list(integer) },
  run: async ({ store, user }, p) => ({
    ids: await store.write((tx) => actions.createDrafts(tx, user, p.drafts)),
  }),
})

/** @source the API description of `PATCH /drafts/{draft_id}` */
export const editDraft = endpoint({
  method: 'patch',
  path: '/drafts/:draft_id{[0-9]+}',
  summary: 'Change a draft.',
  params: { draft_id: int(), draft: json(draft) },
  errors: ['NOT_FOUND'],
  reply: {},
  run: ({ store, user }, p) =>
    store.write((tx) => actions.editDraft(tx, user, p.draft_id, p.draft)),
})

/** @source the API description of `DELETE /drafts/{draft_id}` */
export const deleteDraft = endpoint({
  method: 'delete',
  path: '/drafts/:draft_id{[0-9]+}',
  summary: 'Delete a draft.',
  params: { draft_id: int() },
  errors: ['NOT_FOUND'],
  reply: {},
  run: ({ store, user }, p) => store.write((tx) => actions.deleteDraft(tx, user, p.draft_id)),
})
