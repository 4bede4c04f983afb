import { endpoint } from '#platform/http/endpoint.ts'
import { int, text } from '#platform/http/params.ts'
import * as shape from '#platform/shape.ts'
import * as actions from './actions.ts'

/** @source Zulip API, "Delete a message" */
export const deleteMessage = endpoint({
  method: 'delete',
  path: '/messages/:message_id',
  summary: 'Delete a message.',
  params: { message_id: int() },
  reply: {},
  run: (caller, p) => caller.store.write((tx) => actions.deleteMessage(tx, caller, p.message_id)),
})

/** @source Zulip API, "Delete a topic" */
export const deleteTopic = endpoint({
  method: 'post',
  path: '/streams/:stream_id/delete_topic',
  summary: 'Delete all messages of a topic.',
  description: 'For administrators of the organization. Repeat the call until `complete` is true.',
  params: { stream_id: int(), topic_name: text(1000) },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {
    complete: shape.noted(shape.boolean, 'False if time ran out before all messages were deleted.'),
  },
  run: async (caller, p) => ({
    complete: await caller.store.writeLong((tx) =>
      actions.deleteTopic(tx, caller, p.stream_id, p.topic_name),
    ),
  }),
})
