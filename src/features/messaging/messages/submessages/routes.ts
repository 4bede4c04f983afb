import { endpoint } from '#platform/http/endpoint.ts'
import { int, oneOf, text } from '#platform/http/params.ts'
import * as actions from './actions.ts'

/** @source Zulip developer documentation, "Widgets" */
export const addSubmessage = endpoint({
  method: 'post',
  path: '/submessage',
  summary: 'Add a vote, an option or a task to a message that shows a poll or a to-do list.',
  description: '`content` is described with the `submessages` of messages.',
  params: { message_id: int(), msg_type: oneOf(['widget']), content: text(10_000) },
  reply: {},
  run: (caller, p) =>
    caller.store.write((tx) => actions.addSubmessage(tx, caller, p.message_id, p.content)),
})
