import type { StatePart } from '#events/state.ts'
import { list } from '#shape.ts'
import { scheduledMessageJson } from './json.ts'
import { listScheduledMessages } from './queries.ts'
import { scheduledMessageShape } from './shapes.ts'

export const scheduledMessagesState: StatePart = {
  types: ['scheduled_messages'],
  shape: { scheduled_messages: list(scheduledMessageShape) },
  read: ({ store, user }, { capabilities }) => ({
    scheduled_messages: listScheduledMessages(store, user.id).map((message) =>
      scheduledMessageJson(store, message, capabilities.has('empty_topic_name')),
    ),
  }),
}
