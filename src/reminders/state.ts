import type { StatePart } from '#events/state.ts'
import { list } from '#shape.ts'
import { reminderJson } from './events.ts'
import { listReminders } from './queries.ts'
import { reminderShape } from './shapes.ts'

export const remindersState: StatePart = {
  types: ['reminders'],
  shape: { reminders: list(reminderShape) },
  read: ({ store, user }) => ({ reminders: listReminders(store, user.id).map(reminderJson) }),
}
