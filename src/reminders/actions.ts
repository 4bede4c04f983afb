import { seconds } from '#clock.ts'
import type { Context } from '#context.ts'
import { ApiError, badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import { wakeJobs } from '#jobs/wake.ts'
import type { Rendered } from '#markdown/types.ts'
import { sendNotices } from '#messages/notices.ts'
import { accessMessage, findReadableMessage } from '#messages/queries.ts'
import { limits } from '#realm/limits.ts'
import type { Tx } from '#store/write.ts'
import { findUser } from '#users/queries.ts'
import { reminderContent } from './content.ts'
import { reminderAddEvent, reminderRemoveEvent } from './events.ts'
import {
  countReminders,
  deleteRemindersOf,
  insertReminder,
  type Reminder,
  takeReminder,
} from './queries.ts'

export interface NewReminder {
  readonly messageId: number
  readonly note: string
  /** Seconds since the epoch. */
  readonly deliverAt: number
  /** What the user would be told now, rendered outside the write. */
  readonly content: string
  readonly rendered: Rendered
}

/**
 * Keeps that the caller wants to be reminded of a message, and emits `reminders`/`add`.
 *
 * @returns the reminder's id
 * @throws BAD_REQUEST no such message for the caller, a time that is not in the future, too many
 * @source api-changes §2a, `POST /reminders`
 */
export function createReminder(tx: Tx, caller: Caller, asked: NewReminder): number {
  const { user } = caller
  const message = accessMessage(tx, caller, asked.messageId)
  if (asked.deliverAt <= seconds(tx.clock)) {
    throw badRequest('Scheduled delivery time must be in the future.')
  }
  if (countReminders(tx, user.id) >= limits.reminders) {
    throw badRequest(`You have too many reminders (limit: ${limits.reminders})`)
  }
  const reminder = insertReminder(tx, {
    userId: user.id,
    messageId: message.id,
    note: asked.note,
    content: asked.content,
    renderedContent: asked.rendered.html,
    deliverAt: asked.deliverAt,
  })
  tx.emit(reminderAddEvent(reminder), [user.id])
  wakeJobs(tx)
  return reminder.id
}

/** Gives a reminder up, and emits `reminders`/`remove`. @throws NOT_FOUND also for others' */
export function removeReminder(tx: Tx, { user }: Caller, id: number): void {
  if (!takeReminder(tx, user.id, id)) throw new ApiError('NOT_FOUND', 'Reminder does not exist')
  tx.emit(reminderRemoveEvent(id), [user.id])
}

/**
 * Reminds a user, once: what is told and what is forgotten are one transaction. The message is
 * quoted as it is by now. Who was deactivated is not reminded of anything any more.
 */
export function deliverReminder(tx: Tx, { realmUrl }: Context, { id, userId }: Reminder): void {
  const reminder = takeReminder(tx, userId, id)
  if (!reminder) return
  tx.emit(reminderRemoveEvent(id), [userId])
  const user = findUser(tx, userId)
  if (!user?.isActive) return
  const message = findReadableMessage(tx, user, reminder.messageId)
  const content = reminderContent(tx, message, reminder.note, realmUrl)
  sendNotices(tx, [user], { author: user, content, realmUrl })
}

/** Nobody is reminded of messages that are gone. */
export function dropRemindersOf(tx: Tx, messageIds: readonly number[]): void {
  for (const { id, userId } of deleteRemindersOf(tx, messageIds)) {
    tx.emit(reminderRemoveEvent(id), [userId])
  }
}
