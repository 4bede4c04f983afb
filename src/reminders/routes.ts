import { lastMoment } from '#clock.ts'
import { endpoint } from '#http/endpoint.ts'
import { described, int, text, withDefault } from '#http/params.ts'
import { render } from '#markdown/render.ts'
import { authorLookups } from '#messages/lookups.ts'
import { accessMessage } from '#messages/queries.ts'
import { limits, requireLength } from '#realm/limits.ts'
import { integer, list, noted } from '#shape.ts'
import * as actions from './actions.ts'
import { reminderContent } from './content.ts'
import { reminderJson } from './events.ts'
import { listReminders } from './queries.ts'
import { reminderShape } from './shapes.ts'

/** @source api-changes §2a (level 399) */
export const getReminders = endpoint({
  method: 'get',
  path: '/reminders',
  summary: 'List the messages that the caller wants to be reminded of.',
  params: {},
  reply: { reminders: noted(list(reminderShape), 'The next first.') },
  run: ({ store, user }) => ({ reminders: listReminders(store, user.id).map(reminderJson) }),
})

/** @source api-changes §2a (levels 381, 415) */
export const createReminder = endpoint({
  method: 'post',
  path: '/reminders',
  summary: 'Have Notification Bot remind the caller of a message.',
  params: {
    message_id: int(),
    scheduled_delivery_timestamp: described(
      int({ min: 0, max: lastMoment }),
      'Seconds since the epoch.',
    ),
    note: withDefault(text(2 * limits.reminderNoteLength), ''),
  },
  reply: { reminder_id: integer },
  async run(caller, p) {
    const { store, user, server } = caller
    const note = p.note.trim()
    requireLength('note', note, limits.reminderNoteLength)
    const message = accessMessage(store, caller, p.message_id)
    const content = reminderContent(store, message, note, server.realmUrl)
    const asked = {
      messageId: message.id,
      note,
      deliverAt: p.scheduled_delivery_timestamp,
      content,
      rendered: render(content, authorLookups(store, user, server.realmUrl)),
    }
    return { reminder_id: await store.write((tx) => actions.createReminder(tx, caller, asked)) }
  },
})

/** @source api-changes §2a (level 399) */
export const deleteReminder = endpoint({
  method: 'delete',
  path: '/reminders/:reminder_id{[0-9]+}',
  summary: 'Give up a reminder.',
  params: { reminder_id: int() },
  errors: ['NOT_FOUND'],
  reply: {},
  run: (caller, p) => caller.store.write((tx) => actions.removeReminder(tx, caller, p.reminder_id)),
})
