import { topicShape } from '#features/messaging/messages/shapes.ts'
import * as shape from '#platform/shape.ts'

/** @source Zulip API, "Get scheduled messages" */
export const scheduledMessageShape = shape.named('ScheduledMessage', {
  scheduled_message_id: shape.noted(shape.integer, 'Not the ID of the message once it is sent.'),
  type: shape.choice('stream', 'private'),
  to: shape.noted(
    shape.either(shape.integer, shape.list(shape.integer)),
    'The ID of a channel, or a list of user IDs.',
  ),
  topic: shape.maybe(topicShape),
  content: shape.noted(shape.string, 'The Markdown source.'),
  rendered_content: shape.noted(shape.string, 'HTML.'),
  scheduled_delivery_timestamp: shape.timestamp,
  failed: shape.noted(shape.boolean, 'Whether sending it failed when it was due.'),
})

const type = 'scheduled_messages'

export const scheduledMessageEventShapes = [
  shape.event('ScheduledMessagesAddEvent', type, {
    op: shape.choice('add'),
    scheduled_messages: shape.list(scheduledMessageShape),
  }),
  shape.event('ScheduledMessagesUpdateEvent', type, {
    op: shape.choice('update'),
    scheduled_message: scheduledMessageShape,
  }),
  shape.event('ScheduledMessagesRemoveEvent', type, {
    op: shape.choice('remove'),
    scheduled_message_id: shape.integer,
  }),
]
