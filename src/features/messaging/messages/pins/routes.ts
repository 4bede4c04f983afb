import { accessChannel } from '#features/foundation/channels/access.ts'
import { listReadable } from '#features/foundation/core/queries.ts'
import { findDirectRecipient } from '#features/foundation/recipients/queries.ts'
import { topicKey } from '#features/foundation/recipients/topics.rules.ts'
import { pinShape } from '#features/messaging/messages/shapes.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { described, int, ints, optional, text } from '#platform/http/params.ts'
import { limitsText } from '#platform/quotas/room.ts'
import * as shape from '#platform/shape.ts'
import { sentSentence } from '#translations/translate.ts'
import * as actions from './actions.ts'
import { pinJson } from './json.ts'
import { listPins } from './queries.ts'
import { pinQuota } from './quotas.ts'

const own = 'Not part of the Zulip API.'
const whoMay =
  'Anyone who may post in the channel can do it, and everyone in a direct conversation.'

/** An endpoint of Parley's own. */
export const pinMessage = endpoint({
  method: 'post',
  path: '/messages/:message_id/pin',
  summary: 'Pin a message in its topic or direct conversation, for everyone who can read it.',
  description: `${own} ${whoMay} Clients with \`extended_members\` get the event \`pinned_message\`. ${limitsText(pinQuota)}`,
  params: { message_id: int() },
  reply: {},
  run: (caller, p) => caller.store.write((tx) => actions.pinMessage(tx, caller, p.message_id)),
})

/** An endpoint of Parley's own. */
export const unpinMessage = endpoint({
  method: 'delete',
  path: '/messages/:message_id/pin',
  summary: 'Take away the pin of a message.',
  description: `${own} ${whoMay}`,
  params: { message_id: int() },
  reply: {},
  run: (caller, p) => caller.store.write((tx) => actions.unpinMessage(tx, caller, p.message_id)),
})

/** An endpoint of Parley's own. */
export const getPinnedMessages = endpoint({
  method: 'get',
  path: '/pinned_messages',
  summary: 'List the pinned messages of a topic, of a channel or of a direct conversation.',
  description: `${own} Without messages that the caller may not read.`,
  params: {
    stream_id: optional(int()),
    topic: described(optional(text(1000)), 'Only with `stream_id`: only those of this topic.'),
    user_ids: described(
      optional(ints(1000)),
      'Instead of `stream_id`: the people of a direct conversation, with or without the caller.',
    ),
  },
  reply: { pinned_messages: shape.noted(shape.list(pinShape), 'The last pinned ones first.') },
  run(caller, p) {
    const pins = placePins(caller, p)
    const ids = pins.map(({ messageId }) => messageId)
    const readable = new Set(listReadable(caller.store, caller, ids).map(({ id }) => id))
    return { pinned_messages: pins.filter((pin) => readable.has(pin.messageId)).map(pinJson) }
  },
})

interface Place {
  readonly stream_id: number | undefined
  readonly topic: string | undefined
  readonly user_ids: readonly number[] | undefined
}

/** @throws BAD_REQUEST no place, two of them, or a channel that the caller cannot see */
function placePins(caller: Caller, { stream_id, topic, user_ids }: Place) {
  const { store, user } = caller
  if ((stream_id === undefined) === (user_ids === undefined)) {
    throw badRequest(sentSentence("Either 'stream_id' or 'user_ids' is required"))
  }
  if (stream_id !== undefined) {
    const { recipientId } = accessChannel(store, caller, stream_id)
    return listPins(store, recipientId, topic === undefined ? undefined : topicKey(topic))
  }
  if (topic !== undefined)
    throw badRequest(sentSentence("'topic' is for channels"), { parameter: 'topic' })
  const recipient = findDirectRecipient(store, [...new Set([...(user_ids ?? []), user.id])])
  return recipient ? listPins(store, recipient.id) : []
}
