import * as shape from '#platform/shape.ts'

/** @source Zulip API, "Get reminders" */
export const reminderShape = shape.named('Reminder', {
  reminder_id: shape.integer,
  type: shape.always('private'),
  to: shape.noted(shape.list(shape.integer), 'The ID of the user to remind.'),
  content: shape.noted(shape.string, "The Markdown source of Notification Bot's message."),
  rendered_content: shape.noted(shape.string, 'HTML.'),
  scheduled_delivery_timestamp: shape.timestamp,
  failed: shape.noted(shape.boolean, 'Always false: sending a reminder cannot be refused.'),
  reminder_target_message_id: shape.integer,
})

export const reminderEventShapes = [
  shape.event('RemindersAddEvent', 'reminders', {
    op: shape.choice('add'),
    reminders: shape.list(reminderShape),
  }),
  shape.event('RemindersRemoveEvent', 'reminders', {
    op: shape.choice('remove'),
    reminder_id: shape.integer,
  }),
]
