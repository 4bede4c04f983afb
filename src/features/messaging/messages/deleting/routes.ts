import { normalizeTopic } from '#features/messaging/recipients/topics.rules.ts'
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

/** How long one request may spend on deleting, in milliseconds. */
const timeBudget = 10_000

/** Deletes in batches, newest first, until the time is up. @source Zulip API, "Delete a topic" */
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
  async run(caller, p) {
    const { store } = caller
    const until = store.clock.elapsed() + timeBudget
    const topic = normalizeTopic(store, p.topic_name)
    for (;;) {
      const complete = await store.write((tx) =>
        actions.deleteTopicBatch(tx, caller, p.stream_id, topic),
      )
      if (complete || store.clock.elapsed() >= until) return { complete }
    }
  },
})
