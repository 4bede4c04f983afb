import { normalizeTopic } from '#features/foundation/recipients/topics.rules.ts'
import { required } from '#platform/http/decode.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { described, int, ints, oneOf, optional, text, withDefault } from '#platform/http/params.ts'
import { typeDirectly, typeInChannel, typeWhileEditing } from './actions.ts'

/** @source Zulip API, "Set "typing" status" (feature level 248) */
export const setTypingStatus = endpoint({
  method: 'post',
  path: '/typing',
  summary: 'Notify others that the caller starts or stops typing a message.',
  params: {
    op: oneOf(['start', 'stop']),
    type: withDefault(oneOf(['direct', 'private', 'stream', 'channel']), 'direct'),
    to: described(optional(ints(500)), 'The IDs of the recipients. Required for `type=direct`.'),
    stream_id: described(optional(int()), 'Required for `type=channel`, together with `topic`.'),
    topic: optional(text(1000)),
  },
  reply: {},
  run(caller, p) {
    if (p.type === 'direct' || p.type === 'private') {
      return typeDirectly(caller, p.op, required('to', p.to))
    }
    const topic = normalizeTopic(caller.store, required('topic', p.topic))
    return typeInChannel(caller, p.op, required('stream_id', p.stream_id), topic)
  },
})

/** @source Zulip API, "Set "typing" status for message editing" (feature levels 351 and 361) */
export const setEditTypingStatus = endpoint({
  method: 'post',
  path: '/messages/:message_id/typing',
  summary: 'Notify others that the caller starts or stops editing a message.',
  params: { message_id: int(), op: oneOf(['start', 'stop']) },
  reply: {},
  run: (caller, p) => typeWhileEditing(caller, p.op, p.message_id),
})
