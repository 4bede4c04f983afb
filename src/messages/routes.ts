import * as v from 'valibot'
import { findBotOptions } from '#bots/queries.ts'
import { badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import { required } from '#http/decode.ts'
import { endpoint } from '#http/endpoint.ts'
import {
  alias,
  bool,
  described,
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
import { choice, integer, maybe, noted } from '#shape.ts'
import { sendMessage as send } from './actions.ts'
import { composeMessage, contentLimit, isReadByDefault } from './compose.ts'
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
  summary: 'Send a message to a channel or to people.',
  forWebhookBots: true,
  params: {
    type: described(
      oneOf(['direct', 'channel', 'stream', 'private']),
      '`stream` and `private` are older names of `channel` and `direct`.',
    ),
    to: described(
      optional(jsonOrWord(addressee)),
      "A channel's name or id; people's ids or API emails. Only a bot that has a channel to write to can leave it out.",
    ),
    content: text(contentLimit),
    topic: described(
      optional(alias('subject', text(1000))),
      'Required for channel messages; ignored for direct ones.',
    ),
    queue_id: described(
      optional(word(200)),
      'The event queue of the sending client: its event will carry `local_id`, which is required then.',
    ),
    local_id: optional(word(200)),
    read_by_sender: described(
      optional(bool()),
      'Whether the sender has read it. If absent, that depends on the name of the client.',
    ),
    widget_content: optional(json(widgetSchema)),
  },
  errors: [
    'STREAM_DOES_NOT_EXIST',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  ],
  reply: {
    id: noted(integer, 'The id of the new message.'),
    automatic_new_visibility_policy: maybe(
      noted(choice(2, 3), 'Where sending made the sender unmute (2) or follow (3) the topic.'),
    ),
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
      to: required('to', p.to ?? usualPlace(caller, p.type)),
      topic: p.topic,
      content: p.content,
      client: caller.client,
      readBySender: p.read_by_sender ?? isReadByDefault(caller.client),
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

/** The channel that a bot writes to when it does not say where, if it has one. */
function usualPlace({ store, user }: Caller, type: string): number | undefined {
  if (user.botType === null || type === 'direct' || type === 'private') return undefined
  return findBotOptions(store, user.id).sendingChannelId ?? undefined
}
