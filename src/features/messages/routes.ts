import * as v from 'valibot'
import { findBotOptions } from '#features/bots/queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { required } from '#platform/http/decode.ts'
import { endpoint } from '#platform/http/endpoint.ts'
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
} from '#platform/http/params.ts'
import * as shape from '#platform/shape.ts'
import { sendMessage as send } from './actions.ts'
import { composeMessage, contentLimit, isReadByDefault, maxPeople } from './compose.rules.ts'
import { widgetSchema } from './submessages/widgets.ts'

/** The forms of `to` that clients send: a name, id or address, or a list of ids or addresses. */
const addressee = v.union([
  isInt,
  shortText(10_000),
  intArray(maxPeople),
  textArray(maxPeople, 1000),
])

/**
 * Sends a message to a channel or to users.
 *
 * @source Zulip API, "Send a message"
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
    widget_content: optional(json(widgetSchema, contentLimit)),
  },
  errors: [
    'STREAM_DOES_NOT_EXIST',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  ],
  reply: {
    id: shape.noted(shape.integer, 'The id of the new message.'),
    automatic_new_visibility_policy: shape.maybe(
      shape.noted(
        shape.choice(2, 3),
        'Where sending made the sender unmute (2) or follow (3) the topic.',
      ),
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
    const { store, server } = caller
    const asked = {
      kind: p.type === 'channel' || p.type === 'stream' ? 'channel' : 'direct',
      to: required('to', p.to ?? defaultChannelId(caller, p.type)),
      topic: p.topic,
      content: p.content,
      client: caller.client,
      readBySender: p.read_by_sender ?? isReadByDefault(caller.client),
      echo,
      widget: p.widget_content,
    } as const
    const draft = composeMessage(store, caller.user, asked, server.realmUrl)
    const { message, newPolicy } = await store.write((tx, user) => send(tx, user, draft))
    return {
      id: message.id,
      ...(newPolicy !== undefined && { automatic_new_visibility_policy: newPolicy }),
    }
  },
})

/** The bot's default channel, for channel messages without `to`. */
function defaultChannelId({ store, user }: Caller, type: string): number | undefined {
  if (user.botType === null || type === 'direct' || type === 'private') return undefined
  return findBotOptions(store, user.id).sendingChannelId ?? undefined
}
