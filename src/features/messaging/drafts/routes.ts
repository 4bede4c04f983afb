import * as v from 'valibot'
import { contentLimit, longestTopic } from '#features/messaging/messages/compose.rules.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { int, intArray, isNumber, json, listOf, shortText } from '#platform/http/params.ts'
import { limitsText } from '#platform/quotas/room.ts'
import * as shape from '#platform/shape.ts'
import * as actions from './actions.ts'
import { draftJson } from './json.ts'
import { longestDrafts, maxDrafts } from './limits.ts'
import { listDrafts } from './queries.ts'
import { draftQuota } from './quotas.ts'
import { draftShape } from './shapes.ts'

/** A draft without its `id`, which clients must not send. */
const draft = v.strictObject({
  type: v.picklist(['', 'stream', 'private']),
  to: intArray(500),
  topic: shortText(longestTopic),
  content: shortText(contentLimit),
  // Clients send fractions.
  timestamp: v.optional(
    v.pipe(
      isNumber,
      v.minValue(0),
      v.maxValue(Number.MAX_SAFE_INTEGER),
      v.transform((seconds) => Math.round(seconds)),
    ),
  ),
})

/** @source Zulip API, "Get drafts" */
export const getDrafts = endpoint({
  method: 'get',
  path: '/drafts',
  summary: "List the caller's drafts, the most recently edited last.",
  params: {},
  reply: { count: shape.integer, drafts: shape.list(draftShape) },
  run({ store, user }) {
    actions.requireSynchronization(store, user)
    const drafts = listDrafts(store, user.id).map(draftJson).reverse()
    return { count: drafts.length, drafts }
  },
})

/** @source Zulip API, "Create drafts" */
export const createDrafts = endpoint({
  method: 'post',
  path: '/drafts',
  summary: 'Create drafts.',
  description: limitsText(draftQuota),
  params: { drafts: json(listOf(draft, maxDrafts), longestDrafts) },
  reply: { ids: shape.list(shape.integer) },
  run: async ({ store }, p) => ({
    ids: await store.write((tx, user) => actions.createDrafts(tx, user, p.drafts)),
  }),
})

/** @source Zulip API, "Edit a draft" */
export const editDraft = endpoint({
  method: 'patch',
  path: '/drafts/:draft_id{[0-9]+}',
  summary: 'Change a draft.',
  params: { draft_id: int(), draft: json(draft) },
  errors: ['NOT_FOUND'],
  reply: {},
  run: ({ store }, p) =>
    store.write((tx, user) => actions.editDraft(tx, user, p.draft_id, p.draft)),
})

/** @source Zulip API, "Delete a draft" */
export const deleteDraft = endpoint({
  method: 'delete',
  path: '/drafts/:draft_id{[0-9]+}',
  summary: 'Delete a draft.',
  params: { draft_id: int() },
  errors: ['NOT_FOUND'],
  reply: {},
  run: ({ store }, p) => store.write((tx, user) => actions.deleteDraft(tx, user, p.draft_id)),
})
