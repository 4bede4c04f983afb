import { lastMoment } from '#clock.ts'
import { badRequest, missingArgument } from '#errors.ts'
import { endpoint } from '#http/endpoint.ts'
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
} from '#http/params.ts'
import { composeMessage, contentLimit, isReadByDefault } from '#messages/compose.ts'
import { integer, list, noted } from '#shape.ts'
import * as actions from './actions.ts'
import { scheduledMessageJson } from './json.ts'
import { listScheduledMessages } from './queries.ts'
import { scheduledMessageShape } from './shapes.ts'

const type = oneOf(['direct', 'channel', 'stream', 'private'])
const to = described(
  json(eitherOf([isInt, intArray(1000)], 'a channel ID or a list of user IDs')),
  'The id of a channel, or a list of ids of users.',
)
const content = text(contentLimit)
const topic = optional(text(1000))
const when = described(int({ min: 0, max: lastMoment }), 'Seconds since the epoch.')

const kindOf = (type: 'direct' | 'channel' | 'stream' | 'private') =>
  type === 'channel' || type === 'stream' ? 'channel' : 'direct'

/** @source the API description's "Get scheduled messages" */
export const getScheduledMessages = endpoint({
  method: 'get',
  path: '/scheduled_messages',
  summary: 'List the messages that the caller has scheduled.',
  params: {},
  reply: { scheduled_messages: noted(list(scheduledMessageShape), 'The next to be sent first.') },
  run: ({ store, user }) => ({
    scheduled_messages: listScheduledMessages(store, user.id).map((message) =>
      scheduledMessageJson(store, message, false),
    ),
  }),
})

/** @source the API description's "Create a scheduled message" */
export const createScheduledMessage = endpoint({
  method: 'post',
  path: '/scheduled_messages',
  summary: 'Schedule a message to be sent later.',
  params: {
    type,
    to,
    content,
    topic,
    scheduled_delivery_timestamp: when,
    read_by_sender: described(
      optional(bool()),
      'Unless given, true for clients that people read with, except for messages to oneself.',
    ),
  },
  errors: [
    'STREAM_DOES_NOT_EXIST',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  ],
  reply: { scheduled_message_id: integer },
  async run(caller, p) {
    const { store, user, client, server } = caller
    const asked = {
      kind: kindOf(p.type),
      to: p.to,
      topic: p.topic,
      content: p.content,
      client,
      readBySender: p.read_by_sender ?? isReadByDefault(client),
    } as const
    const composed = composeMessage(store, user, asked, server.realmUrl)
    const isNote = !composed.channel && composed.people.length === 1
    const draft = isNote ? { ...composed, readBySender: p.read_by_sender ?? false } : composed
    const id = await store.write((tx) =>
      actions.scheduleMessage(tx, user, draft, p.scheduled_delivery_timestamp),
    )
    return { scheduled_message_id: id }
  },
})

/** @source the API description's "Edit a scheduled message" */
export const editScheduledMessage = endpoint({
  method: 'patch',
  path: '/scheduled_messages/:scheduled_message_id{[0-9]+}',
  summary: 'Change a scheduled message.',
  description:
    'With `type`, `to` is needed too, and for a channel `topic`. A message that could not be sent ' +
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
  async run({ store, user, server }, p) {
    const { scheduled_message_id: id, scheduled_delivery_timestamp: deliverAt } = p
    const before = actions.accessScheduledMessage(store, user, id)
    const wants = [p.type, p.to, p.content, p.topic].some((value) => value !== undefined)
    if (!wants && deliverAt === undefined) throw badRequest('Nothing to change')
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
    const draft = wants ? composeMessage(store, user, asked, server.realmUrl) : undefined
    await store.write((tx) => actions.editScheduledMessage(tx, user, id, { draft, deliverAt }))
  },
})

/** @source the API description's "Delete a scheduled message" */
export const deleteScheduledMessage = endpoint({
  method: 'delete',
  path: '/scheduled_messages/:scheduled_message_id{[0-9]+}',
  summary: 'Give up a scheduled message.',
  params: { scheduled_message_id: int() },
  errors: ['NOT_FOUND'],
  reply: {},
  run: ({ store, user }, p) =>
    store.write((tx) => actions.cancelScheduledMessage(tx, user, p.scheduled_message_id)),
})
