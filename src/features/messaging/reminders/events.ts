import type { EventOf, Shaped } from '#platform/shape.ts'
import type { Reminder } from './queries.ts'
import type { reminderEventShapes, reminderShape } from './shapes.ts'

/** A reminder on the wire. @source Zulip API, "Get reminders" */
export type ReminderJson = Shaped<typeof reminderShape>

/**
 * A user's reminders changed; sent to that user.
 *
 * @source Zulip API, "Get events", type "reminders" (feature level 399)
 */
export type RemindersEvent = EventOf<typeof reminderEventShapes, 'reminders'>

export function reminderJson(reminder: Reminder): ReminderJson {
  return {
    reminder_id: reminder.id,
    type: 'private',
    to: [reminder.userId],
    content: reminder.content,
    rendered_content: reminder.renderedContent,
    scheduled_delivery_timestamp: reminder.deliverAt,
    failed: false,
    reminder_target_message_id: reminder.messageId,
  }
}

export function reminderAddEvent(reminder: Reminder): RemindersEvent {
  return { type: 'reminders', op: 'add', reminders: [reminderJson(reminder)] }
}

export function reminderRemoveEvent(id: number): RemindersEvent {
  return { type: 'reminders', op: 'remove', reminder_id: id }
}
