import { accessMessage } from '#features/foundation/core/queries.ts'
import { limits } from '#features/foundation/realm/limits.ts'
import { authorLookups } from '#features/messaging/messages/lookups.queries.ts'
import { lastMoment } from '#platform/clock.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { described, int, prose, withDefault } from '#platform/http/params.ts'
import { render } from '#platform/markdown/render.ts'
import { limitsText } from '#platform/quotas/room.ts'
import * as shape from '#platform/shape.ts'
import * as actions from './actions.ts'
import { reminderContent } from './content.queries.ts'
import { reminderJson } from './events.ts'
import { listReminders } from './queries.ts'
import { reminderQuota } from './quotas.ts'
import { reminderShape } from './shapes.ts'

/** @source Zulip API, "Get reminders" (feature level 399) */
export const getReminders = endpoint({
  method: 'get',
  path: '/reminders',
  summary: "List the caller's reminders.",
  params: {},
  reply: {
    reminders: shape.noted(shape.list(reminderShape), 'By delivery time, earliest first.'),
  },
  run: ({ store, user }) => ({ reminders: listReminders(store, user.id).map(reminderJson) }),
})

/** @source Zulip API, "Create a message reminder" (feature levels 381 and 415) */
export const createReminder = endpoint({
  method: 'post',
  path: '/reminders',
  summary: 'Create a reminder: Notification Bot reminds the caller about a message.',
  description: limitsText(reminderQuota),
  params: {
    message_id: int(),
    scheduled_delivery_timestamp: described(
      int({ min: 0, max: lastMoment }),
      'Seconds since the epoch.',
    ),
    note: withDefault(prose(limits.reminderNoteLength), ''),
  },
  reply: { reminder_id: shape.integer },
  async run(caller, p) {
    const { store, server } = caller
    const note = p.note.trim()
    const message = accessMessage(store, caller, p.message_id)
    const content = reminderContent(store, caller.user, message, note, server.realmUrl)
    const asked = {
      messageId: message.id,
      note,
      deliverAt: p.scheduled_delivery_timestamp,
      content,
      rendered: render(content, authorLookups(store, caller.user, server.realmUrl)),
    }
    return { reminder_id: await store.write((tx) => actions.createReminder(tx, caller, asked)) }
  },
})

/** @source Zulip API, "Delete a reminder" (feature level 399) */
export const deleteReminder = endpoint({
  method: 'delete',
  path: '/reminders/:reminder_id{[0-9]+}',
  summary: 'Delete a reminder.',
  params: { reminder_id: int() },
  errors: ['NOT_FOUND'],
  reply: {},
  run: (caller, p) => caller.store.write((tx) => actions.removeReminder(tx, caller, p.reminder_id)),
})
