import type { StatePart } from '#platform/events/state.ts'
import * as shape from '#platform/shape.ts'
import { scheduledMessageJson } from './json.ts'
import { listScheduledMessages } from './queries.ts'
import { scheduledMessageShape } from './shapes.ts'

export const scheduledMessagesState = {
  types: ['scheduled_messages'],
  members: { scheduled_messages: shape.list(scheduledMessageShape) },
  read: ({ store, user }, { capabilities }) => ({
    scheduled_messages: listScheduledMessages(store, user.id).map((message) =>
      scheduledMessageJson(store, message, capabilities.has('empty_topic_name')),
    ),
  }),
} satisfies StatePart
