import { topicShape } from '#messages/shapes.ts'
import {
  boolean,
  choice,
  either,
  event,
  integer,
  list,
  maybe,
  named,
  noted,
  string,
  timestamp,
} from '#shape.ts'

/** @source the API description's `ScheduledMessage` */
export const scheduledMessageShape = named('ScheduledMessage', {
  scheduled_message_id: noted(integer, 'Not the id that the message will have once it is sent.'),
  type: choice('stream', 'private'),
  to: noted(either(integer, list(integer)), 'The id of a channel, or ids of users.'),
  topic: maybe(topicShape),
  content: noted(string, 'The Markdown source.'),
  rendered_content: noted(string, 'HTML.'),
  scheduled_delivery_timestamp: timestamp,
  failed: noted(boolean, 'Whether its time came and it could not be sent.'),
})

const type = 'scheduled_messages'

export const scheduledMessageEventShapes = [
  event('ScheduledMessagesAddEvent', type, {
    op: choice('add'),
    scheduled_messages: list(scheduledMessageShape),
  }),
  event('ScheduledMessagesUpdateEvent', type, {
    op: choice('update'),
    scheduled_message: scheduledMessageShape,
  }),
  event('ScheduledMessagesRemoveEvent', type, {
    op: choice('remove'),
    scheduled_message_id: integer,
  }),
]
