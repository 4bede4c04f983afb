import * as v from 'valibot'
import { findBotOptions, webhookSecret } from '#features/foundation/bots/queries.ts'
import type { User } from '#features/foundation/users/queries.ts'
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
import { namingLimits } from '#platform/markdown/naming.ts'
import * as shape from '#platform/shape.ts'
import type { Read } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { sendMessage as send } from './actions.ts'
import { contentLimit, isReadByDefault, longestTopic, maxPeople } from './compose.rules.ts'
import { composed } from './composing.actions.ts'
import { findKeyed, insertKey } from './keys.queries.ts'
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
      "A channel's name or ID, or users' IDs or API emails. Optional only for bots with a default channel.",
    ),
    content: described(
      text(contentLimit),
      `Markdown. Longer content than \`max_message_length\` code points is cut, and ends in a line \`[message truncated]\`. At most ${namingLimits.all} mentions and links to channels and topics count, of ${namingLimits.people} people and ${namingLimits.groups} groups; the rest stays text.`,
    ),
    topic: described(
      optional(alias('subject', text(longestTopic))),
      'Required for channel messages; ignored for direct messages. A longer one is cut, and ends in `...`.',
    ),
    queue_id: described(
      optional(word(200)),
      'The event queue of the sending client, whose `message` event will contain `local_id`. Requires `local_id`.',
    ),
    local_id: optional(word(200)),
    idempotency_key: described(
      optional(word(100)),
      'For a call that may be made again because its reply was lost: if you have sent a message with this key during the last day, nothing is sent, and the reply has the ID of that message. Choose another one for each message, such as a UUID.',
    ),
    read_by_sender: described(
      optional(bool()),
      'Whether the message starts as read for the sender. Default: true for clients that people read with.',
    ),
    forged: described(
      optional(word(200)),
      'Refused unless it is false: nobody may send messages for others.',
    ),
    sender: described(optional(word(1000)), "Refused unless it is the caller's own email address."),
    widget_content: optional(json(widgetSchema, contentLimit)),
  },
  errors: [
    'STREAM_DOES_NOT_EXIST',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  ],
  reply: {
    id: shape.noted(shape.integer, 'The ID of the new message.'),
    automatic_new_visibility_policy: shape.maybe(
      shape.noted(
        shape.choice(2, 3),
        'Present if sending automatically unmuted (2) or followed (3) the topic for the sender.',
      ),
    ),
  },
  async run(caller, p) {
    if (p.queue_id !== undefined && p.local_id === undefined) {
      throw badRequest(sentSentence("Argument 'queue_id' requires 'local_id'"), {
        parameter: 'local_id',
      })
    }
    const echo =
      p.queue_id !== undefined && p.local_id !== undefined
        ? { queueId: p.queue_id, localId: p.local_id }
        : undefined
    const { store, server } = caller
    const { idempotency_key: key } = p
    const earlier = findKeyed(store, caller.user.id, key)
    if (earlier !== undefined) return { id: earlier }
    // Only the sending client learns which of its own messages it is.
    if (echo) server.queues.attend(caller.user.id, echo.queueId)
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
    const draft = await composed(caller, asked)
    return await store.write((tx, user) => {
      // The first call may have been on its way.
      const sent = findKeyed(tx, user.id, key)
      if (sent !== undefined) return { id: sent }
      requireNoSecret(tx, user)
      requireOwnName(user, p.forged, p.sender)
      const { message, newPolicy } = send(tx, user, draft)
      if (key !== undefined) insertKey(tx, user.id, key, message.id)
      return {
        id: message.id,
        ...(newPolicy !== undefined && { automatic_new_visibility_policy: newPolicy }),
      }
    })
  },
})

/**
 * Checks that a program does not mean to send for another user, as bridges did with older servers.
 *
 * @throws BAD_REQUEST
 */
function requireOwnName(user: User, forged: string | undefined, sender: string | undefined): void {
  const isForged = forged !== undefined && !/^(|false|no|0|null)$/i.test(forged)
  const name = sender?.trim().toLowerCase()
  const isOwn =
    name === undefined || [user.email, user.apiEmail].some((own) => own.toLowerCase() === name)
  if (isForged || !isOwn) throw badRequest(sentSentence('User not authorized for this query'))
}

/** @throws BAD_REQUEST the caller is a bot of a service that has to prove what it sends */
function requireNoSecret(read: Read, { id, botType }: User): void {
  if (botType === null || webhookSecret(read, id) === undefined) return
  throw badRequest(
    sentSentence('This bot has a webhook secret, so it sends messages by its webhook URL only.'),
  )
}

/** The bot's default channel, for channel messages without `to`. */
function defaultChannelId({ store, user }: Caller, type: string): number | undefined {
  if (user.botType === null || type === 'direct' || type === 'private') return undefined
  return findBotOptions(store, user.id).sendingChannelId ?? undefined
}
