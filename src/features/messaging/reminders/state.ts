import type { StatePart } from '#platform/events/state.ts'
import * as shape from '#platform/shape.ts'
import { reminderJson } from './events.ts'
import { listReminders } from './queries.ts'
import { reminderShape } from './shapes.ts'

export const remindersState = {
  types: ['reminders'],
  members: { reminders: shape.list(reminderShape) },
  read: ({ store, user }) => ({ reminders: listReminders(store, user.id).map(reminderJson) }),
} satisfies StatePart
