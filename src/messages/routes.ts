import * as v from 'valibot'
import { badRequest } from '#errors.ts'
import { endpoint } from '#http/endpoint.ts'
import {
  alias,
  bool,
  intArray,
  isInt,
  json,
  jsonOrWord,
  oneOf,
  optional,
  shortText,
  text,
  textArray,
  word,
} from '#http/params.ts'
import { sendMessage as send } from './actions.ts'
import { composeMessage, contentLimit } from './compose.ts'
import { widgetSchema } from './submessages/widgets.ts'

/** `to` in all its forms: a name, an id, an address, or a list of ids or addresses. */
const addressee = v.union([isInt, shortText(10_000), intArray(1000), textArray(1000)])

/**
 * Sends a message to a channel or to people.
 *
 * @source contract, "Send a message"; clients.md §0.1 for the forms of `to`
 */
export const sendMessage = endpoint({
  method: 'post',
  path: '/messages',
  params: {
    type: oneOf(['direct', 'channel', 'stream', 'private']),
    to: jsonOrWord(addressee),
    content: text(contentLimit),
    topic: optional(alias('subject', text(1000))),
    queue_id: optional(word(200)),
    local_id: optional(word(200)),
    read_by_sender: optional(bool()),
    widget_content: optional(json(widgetSchema)),
  },
  async run(caller, p) {
    if (p.queue_id !== undefined && p.local_id === undefined) {
      throw badRequest("Argument 'queue_id' needs 'local_id' beside it")
    }
    const echo =
      p.queue_id !== undefined && p.local_id !== undefined
        ? { queueId: p.queue_id, localId: p.local_id }
        : undefined
    const { store, user, server } = caller
    const asked = {
      kind: p.type === 'channel' || p.type === 'stream' ? 'channel' : 'direct',
      to: p.to,
      topic: p.topic,
      content: p.content,
      client: caller.client,
      readBySender: p.read_by_sender ?? isForPeople(caller.client),
      echo,
      widget: p.widget_content,
    } as const
    const draft = composeMessage(store, user, asked, server.realmUrl)
    const { message, newPolicy } = await store.write((tx) => send(tx, user, draft))
    return {
      id: message.id,
      ...(newPolicy !== undefined && { automatic_new_visibility_policy: newPolicy }),
    }
  },
})

/** Whether a client is one that people read with: what they send there, they have seen. */
function isForPeople(client: string): boolean {
  return /^(website|zulip(flutter|mobile|electron|terminal|android|ios|desktop))/i.test(client)
}
