import { beyond, emptyList, looseObjects, minusOne, noValue, someWords } from './hostile-values.ts'
import { type Maker, withMessage } from './maker.ts'
import { plain, type SampleCalls } from './sample-call.ts'

const registering = {
  client_capabilities: looseObjects,
  event_types: [...someWords, ...noValue],
  fetch_event_types: [...someWords, ...noValue],
  narrow: emptyList,
}

/** Messages, and the event queues that tell of them. */
export function messageCalls(make: Maker): SampleCalls {
  return {
    'POST /messages': plain(
      { type: 'channel', to: 3, topic: 'plans', content: 'Hello.' },
      {
        free: ['content', 'topic', 'local_id', 'idempotency_key'],
        takes: { forged: ['nothing', 'null'] },
      },
    ),
    'GET /messages/:message_id': withMessage(make),
    'GET /messages': plain(
      { anchor: 'newest', num_before: 1, num_after: 0 },
      { takes: { anchor: beyond, narrow: emptyList } },
    ),
    'GET /messages/matches_narrow': plain(
      { msg_ids: [1], narrow: [] },
      { takes: { msg_ids: ['a list of minus one', ...emptyList], narrow: emptyList } },
    ),
    'PATCH /messages/:message_id': withMessage(
      make,
      { content: 'New.' },
      { free: ['content', 'topic'] },
    ),
    'DELETE /messages/:message_id': withMessage(make),
    'PATCH /messages/:message_id/link_previews': withMessage(make, { hidden: true }),
    'POST /streams/:stream_id/delete_topic': plain(
      { stream_id: 3, topic_name: 'none' },
      { free: ['topic_name'] },
    ),
    'GET /messages/:message_id/history': withMessage(make),
    'POST /mark_all_as_read': plain(),
    'POST /mark_stream_as_read': plain({ stream_id: 3 }),
    'POST /mark_topic_as_read': plain(
      { stream_id: 3, topic_name: 'plans' },
      { free: ['topic_name'] },
    ),
    'POST /messages/flags': async () => ({
      params: { messages: [await make.message()], op: 'add', flag: 'starred' },
      takes: { messages: emptyList },
    }),
    'POST /messages/flags/narrow': plain(
      { anchor: 'newest', num_before: 1, num_after: 0, narrow: [], op: 'add', flag: 'starred' },
      { takes: { anchor: beyond, narrow: emptyList } },
    ),
    'POST /messages/:message_id/reactions': withMessage(
      make,
      { emoji_name: 'tada' },
      // The name of thumbs down.
      { takes: { emoji_name: minusOne } },
    ),
    'DELETE /messages/:message_id/reactions': async () => {
      const id = await make.message()
      await make.owner.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
      return { params: { message_id: id, emoji_name: 'tada' } }
    },
    'POST /messages/:message_id/pin': withMessage(make),
    'DELETE /messages/:message_id/pin': async () => {
      const id = await make.message()
      await make.owner.post(`/messages/${id}/pin`)
      return { params: { message_id: id } }
    },
    'GET /pinned_messages': plain({ stream_id: 3 }, { free: ['topic'] }),
    'GET /messages/:message_id/read_receipts': withMessage(make),
    'POST /messages/render': plain({ content: '*a*' }, { free: ['content'] }),
    'POST /messages/:message_id/report': async () => {
      await make.owner.patch('/realm', { moderation_request_channel_id: 8 })
      return {
        params: { message_id: await make.message(), report_type: 'spam' },
        free: ['description'],
      }
    },
    'POST /messages/:message_id/typing': withMessage(make, { op: 'start' }),
    'POST /typing': plain(
      { op: 'start', to: [10] },
      // Has no meaning in a direct message.
      { free: ['topic'], takes: { stream_id: minusOne } },
    ),
    'POST /submessage': async () => ({
      params: {
        message_id: await make.poll(),
        msg_type: 'widget',
        content: '{"type":"vote","key":"canned,0","vote":1}',
      },
    }),
    'GET /events': async () => ({
      params: { queue_id: await make.queue(), dont_block: true },
      takes: { ...registering, last_event_id: minusOne },
    }),
    // If there is one, the reply would not end.
    'GET /events/stream': plain(
      { queue_id: 'none' },
      { fails: 'BAD_EVENT_QUEUE_ID', takes: { last_event_id: minusOne } },
    ),
    'POST /events/acknowledge': async () => ({
      params: { queue_id: await make.queueWithEvent(), last_event_id: 0 },
    }),
    'DELETE /events': async () => ({ params: { queue_id: await make.queue() } }),
    'POST /register': plain({}, { takes: registering }),
  }
}
