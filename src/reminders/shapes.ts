import {
  always,
  boolean,
  choice,
  event,
  integer,
  list,
  named,
  noted,
  string,
  timestamp,
} from '#shape.ts'

/** @source api-changes §6 */
export const reminderShape = named('Reminder', {
  reminder_id: integer,
  type: always('private'),
  to: noted(list(integer), 'The id of the user who is to be reminded.'),
  content: noted(string, 'The Markdown source of what Notification Bot will write.'),
  rendered_content: noted(string, 'HTML.'),
  scheduled_delivery_timestamp: timestamp,
  failed: noted(boolean, 'Always false: nobody can keep Notification Bot from writing.'),
  reminder_target_message_id: integer,
})

export const reminderEventShapes = [
  event('RemindersAddEvent', 'reminders', { op: choice('add'), reminders: list(reminderShape) }),
  event('RemindersRemoveEvent', 'reminders', { op: choice('remove'), reminder_id: integer }),
]
