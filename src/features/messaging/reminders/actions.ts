import { accessMessage, findReadableMessage } from '#features/foundation/core/queries.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import { sendNotices } from '#features/messaging/messages/notices.actions.ts'
import { seconds } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { wakeJobs } from '#platform/jobs/wake.ts'
import type { RenderedMarkdown } from '#platform/markdown/types.ts'
import { requireRoom } from '#platform/quotas/room.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { reminderContent } from './content.queries.ts'
import { reminderAddEvent, reminderRemoveEvent } from './events.ts'
import { deleteRemindersOf, insertReminder, type Reminder, takeReminder } from './queries.ts'
import { reminderQuota } from './quotas.ts'

export interface NewReminder {
  readonly messageId: number
  readonly note: string
  /** Seconds since the epoch. */
  readonly deliverAt: number
  /** The Markdown source of the reminder as of now, and its rendering, made outside the write. */
  readonly content: string
  readonly rendered: RenderedMarkdown
}

/**
 * Schedules a reminder of a message for the caller, and emits `reminders`/`add`.
 *
 * @returns the reminder's id
 * @throws BAD_REQUEST the caller cannot access the message, the time is not in the future, or
 * there are too many reminders
 * @source Zulip API, "Create a message reminder" (feature level 381)
 */
export function createReminder(tx: Tx, caller: Caller, asked: NewReminder): number {
  const { user } = caller
  const message = accessMessage(tx, caller, asked.messageId)
  if (asked.deliverAt <= seconds(tx.clock)) {
    throw badRequest(sentSentence('Scheduled delivery time must be in the future.'), {
      parameter: 'scheduled_delivery_timestamp',
    })
  }
  requireRoom(tx, reminderQuota, user)
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

/**
 * Removes a reminder of the caller, and emits `reminders`/`remove`.
 *
 * @throws NOT_FOUND also for other users' reminders
 * @source Zulip API, "Delete a reminder" (feature level 399)
 */
export function removeReminder(tx: Tx, { user }: Caller, id: number): void {
  if (!takeReminder(tx, user.id, id))
    throw new ApiError(
      'NOT_FOUND',
      sentSentence('Reminder does not exist'),
      {},
      { parameter: 'reminder_id' },
    )
  tx.emit(reminderRemoveEvent(id), [user.id])
}

/**
 * Sends a reminder and removes it in one transaction, so that it is sent once. It quotes the
 * current content of the message. Deactivated users get no reminders.
 */
export function deliverReminder(tx: Tx, { realmUrl }: Context, { id, userId }: Reminder): void {
  const reminder = takeReminder(tx, userId, id)
  if (!reminder) return
  tx.emit(reminderRemoveEvent(id), [userId])
  const user = findUser(tx, userId)
  if (!user?.isActive) return
  const message = findReadableMessage(tx, user, reminder.messageId)
  const content = reminderContent(tx, user, message, reminder.note, realmUrl)
  sendNotices(tx, [user], { author: user, content, realmUrl })
}

/** Removes the reminders of deleted messages, and emits `reminders`/`remove` to their users. */
export function dropRemindersOf(tx: Tx, messageIds: readonly number[]): void {
  for (const { id, userId } of deleteRemindersOf(tx, messageIds)) {
    tx.emit(reminderRemoveEvent(id), [userId])
  }
}
