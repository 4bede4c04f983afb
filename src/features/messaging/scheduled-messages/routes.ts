import {
  composeMessage,
  contentLimit,
  isReadByDefault,
  longestTopic,
  maxPeople,
} from '#features/messaging/messages/compose.rules.ts'
import { lastMoment } from '#platform/clock.ts'
import { badRequest, missingArgument } from '#platform/errors.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import {
  bool,
  described,
  eitherOf,
  int,
  intArray,
  isInt,
  json,
  oneOf,
  optional,
  text,
} from '#platform/http/params.ts'
import { limitsText } from '#platform/quotas/room.ts'
import * as shape from '#platform/shape.ts'
import { sentSentence } from '#translations/translate.ts'
import * as actions from './actions.ts'
import { scheduledMessageJson } from './json.ts'
import { listScheduledMessages } from './queries.ts'
import { scheduledMessageQuota } from './quotas.ts'
import { scheduledMessageShape } from './shapes.ts'

const type = oneOf(['direct', 'channel', 'stream', 'private'])
const to = described(
  json(
    eitherOf(
      [isInt, intArray(maxPeople)],
      sentSentence('{name} is not a channel ID or a list of user IDs'),
    ),
  ),
  'The ID of a channel, or a list of user IDs.',
)
const content = text(contentLimit)
const topic = optional(text(longestTopic))
const when = described(int({ min: 0, max: lastMoment }), 'Seconds since the epoch.')

const kindOf = (type: 'direct' | 'channel' | 'stream' | 'private') =>
  type === 'channel' || type === 'stream' ? 'channel' : 'direct'

/** @source Zulip API, "Get scheduled messages" */
export const getScheduledMessages = endpoint({
  method: 'get',
  path: '/scheduled_messages',
  summary: 'List the messages that the caller has scheduled.',
  params: {},
  reply: {
    scheduled_messages: shape.noted(
      shape.list(scheduledMessageShape),
      'By delivery time, earliest first.',
    ),
  },
  run: ({ store, user }) => ({
    scheduled_messages: listScheduledMessages(store, user.id).map((message) =>
      scheduledMessageJson(store, message, false),
    ),
  }),
})

/** @source Zulip API, "Create a scheduled message" */
export const createScheduledMessage = endpoint({
  method: 'post',
  path: '/scheduled_messages',
  summary: 'Schedule a message to be sent later.',
  description: limitsText(scheduledMessageQuota),
  params: {
    type,
    to,
    content,
    topic,
    scheduled_delivery_timestamp: when,
    read_by_sender: described(
      optional(bool()),
      'Whether the message starts as read for the sender. Default: true for clients that people read with, except for messages to oneself.',
    ),
  },
  errors: [
    'STREAM_DOES_NOT_EXIST',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  ],
  reply: { scheduled_message_id: shape.integer },
  async run(caller, p) {
    const { store, client, server } = caller
    const asked = {
      kind: kindOf(p.type),
      to: p.to,
      topic: p.topic,
      content: p.content,
      client,
      readBySender: p.read_by_sender ?? isReadByDefault(client),
    } as const
    const composed = composeMessage(store, caller.user, asked, server.realmUrl)
    const isNote = !composed.channel && composed.people.length === 1
    const draft = isNote ? { ...composed, readBySender: p.read_by_sender ?? false } : composed
    const id = await store.write((tx, user) =>
      actions.scheduleMessage(tx, user, draft, p.scheduled_delivery_timestamp),
    )
    return { scheduled_message_id: id }
  },
})

/** @source Zulip API, "Edit a scheduled message" */
export const editScheduledMessage = endpoint({
  method: 'patch',
  path: '/scheduled_messages/:scheduled_message_id{[0-9]+}',
  summary: 'Change a scheduled message.',
  description:
    '`type` requires `to`, and for a channel `topic`. A message that could not be sent ' +
    'needs a new time.',
  params: {
    scheduled_message_id: int(),
    type: optional(type),
    to: optional(to),
    content: optional(content),
    topic,
    scheduled_delivery_timestamp: optional(when),
  },
  errors: [
    'NOT_FOUND',
    'STREAM_DOES_NOT_EXIST',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  ],
  reply: {},
  async run(caller, p) {
    const { store, server } = caller
    const { scheduled_message_id: id, scheduled_delivery_timestamp: deliverAt } = p
    const before = actions.accessScheduledMessage(store, caller.user, id)
    const changesDraft = [p.type, p.to, p.content, p.topic].some((value) => value !== undefined)
    if (!changesDraft && deliverAt === undefined)
      throw badRequest(sentSentence('Nothing to change'))
    if (p.type !== undefined && p.to === undefined) throw missingArgument('to')
    const kind = p.type ? kindOf(p.type) : before.channelId === null ? 'direct' : 'channel'
    if (p.type !== undefined && kind === 'channel' && p.topic === undefined) {
      throw missingArgument('topic')
    }
    const asked = {
      kind,
      to: p.to ?? before.channelId ?? before.to,
      topic: p.topic ?? before.topic,
      content: p.content ?? before.content,
      client: before.client,
      readBySender: before.readBySender,
    } as const
    const draft = changesDraft
      ? composeMessage(store, caller.user, asked, server.realmUrl)
      : undefined
    await store.write((tx, user) =>
      actions.editScheduledMessage(tx, user, id, { draft, deliverAt }),
    )
  },
})

/** @source Zulip API, "Delete a scheduled message" */
export const deleteScheduledMessage = endpoint({
  method: 'delete',
  path: '/scheduled_messages/:scheduled_message_id{[0-9]+}',
  summary: 'Delete a scheduled message.',
  params: { scheduled_message_id: int() },
  errors: ['NOT_FOUND'],
  reply: {},
  run: ({ store }, p) =>
    store.write((tx, user) => actions.cancelScheduledMessage(tx, user, p.scheduled_message_id)),
})
