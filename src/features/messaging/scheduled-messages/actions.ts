import { scheduleFiles, unscheduleFiles } from '#features/files/attachments/claims.actions.ts'
import type { User } from '#features/foundation/users/queries.ts'
import type { Draft } from '#features/messaging/messages/compose.rules.ts'
import { requireSendable } from '#features/messaging/messages/rules.ts'
import { seconds } from '#platform/clock.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import { wakeJobs } from '#platform/jobs/wake.ts'
import { requireRoom } from '#platform/quotas/room.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { scheduledMessageEvent, scheduledMessageRemoveEvent } from './events.ts'
import { scheduledMessageJson } from './json.ts'
import {
  deleteScheduledMessage,
  findScheduledMessage,
  forgetSentMessage,
  insertScheduledMessage,
  type ScheduledMessage,
  updateScheduledMessage,
} from './queries.ts'
import { scheduledMessageQuota } from './quotas.ts'

/**
 * Stores a message to be sent later, and emits `scheduled_messages`/`add`.
 *
 * @param deliverAt seconds since the epoch
 * @returns its id
 * @throws BAD_REQUEST the time is not in the future, or there are too many scheduled messages
 * @throws ApiError whatever sending the message now would throw
 * @source Zulip API, "Create a scheduled message"
 */
export function scheduleMessage(tx: Tx, sender: User, draft: Draft, deliverAt: number): number {
  requireFuture(tx, deliverAt)
  requireRoom(tx, scheduledMessageQuota, sender)
  requireSendable(tx, sender, draft)
  const message = insertScheduledMessage(tx, {
    senderId: sender.id,
    ...storedDraft(sender, draft),
    deliverAt,
    readBySender: draft.readBySender,
    client: draft.client,
  })
  scheduleFiles(tx, sender, message.id, draft.rendered.links.uploads)
  emitScheduledMessage(tx, 'add', message)
  wakeJobs(tx)
  return message.id
}

export interface ScheduleChange {
  /** The new message; undefined to leave it unchanged. */
  readonly draft: Draft | undefined
  /** Seconds since the epoch; undefined to leave it unchanged. */
  readonly deliverAt: number | undefined
}

/**
 * Changes a scheduled message, and emits `scheduled_messages`/`update`.
 *
 * @throws NOT_FOUND the sender has no such scheduled message, or no longer has it
 * @throws BAD_REQUEST the time is not in the future, or the message failed and has no new time
 * @throws ApiError whatever sending the message now would throw
 * @source Zulip API, "Edit a scheduled message"
 */
export function editScheduledMessage(
  tx: Tx,
  sender: User,
  id: number,
  { draft, deliverAt }: ScheduleChange,
): void {
  const before = accessScheduledMessage(tx, sender, id)
  if (deliverAt !== undefined) requireFuture(tx, deliverAt)
  else if (before.failed)
    throw badRequest(sentSentence('A message that could not be sent needs a new delivery time.'), {
      parameter: 'scheduled_delivery_timestamp',
    })
  if (draft) requireSendable(tx, sender, draft)
  const changed = updateScheduledMessage(tx, id, {
    ...(draft && storedDraft(sender, draft)),
    ...(deliverAt !== undefined && { deliverAt, failed: false }),
  })
  if (draft) scheduleFiles(tx, sender, id, draft.rendered.links.uploads)
  emitScheduledMessage(tx, 'update', changed)
  wakeJobs(tx)
}

/**
 * Removes a scheduled message unsent, and emits `scheduled_messages`/`remove`. Succeeds without an
 * event, once, if the message was sent already: a client may be late.
 *
 * @throws NOT_FOUND the sender has no such scheduled message
 * @source Zulip API, "Delete a scheduled message"
 */
export function cancelScheduledMessage(tx: Tx, sender: User, id: number): void {
  if (forgetSentMessage(tx, sender.id, id)) return
  removeScheduledMessage(tx, accessScheduledMessage(tx, sender, id))
}

/** Removes a sent or canceled message, and emits `scheduled_messages`/`remove` to its sender. */
export function removeScheduledMessage(tx: Tx, { id, senderId }: ScheduledMessage): void {
  deleteScheduledMessage(tx, id)
  unscheduleFiles(tx, id)
  tx.emit(scheduledMessageRemoveEvent(id), [senderId])
}

/** Emits `scheduled_messages`/`add` or `update` to the sender. */
export function emitScheduledMessage(
  tx: Tx,
  op: 'add' | 'update',
  message: ScheduledMessage,
): void {
  const named = scheduledMessageJson(tx, message, false)
  const empty = scheduledMessageJson(tx, message, true)
  tx.emit(
    scheduledMessageEvent(op, (allowEmptyTopicName) => (allowEmptyTopicName ? empty : named)),
    [message.senderId],
  )
}

/** @throws NOT_FOUND also for other users' scheduled messages */
export function accessScheduledMessage(read: Read, sender: User, id: number): ScheduledMessage {
  const message = findScheduledMessage(read, sender.id, id)
  if (!message)
    throw new ApiError(
      'NOT_FOUND',
      sentSentence('Scheduled message does not exist'),
      {},
      { parameter: 'scheduled_message_id' },
    )
  return message
}

function requireFuture(read: Read, deliverAt: number): void {
  if (deliverAt <= seconds(read.clock)) {
    throw badRequest(sentSentence('Scheduled delivery time must be in the future.'), {
      parameter: 'scheduled_delivery_timestamp',
    })
  }
}

/** The columns of a draft. `to` leaves out the sender, except for a message to oneself. */
function storedDraft(sender: User, { channel, people, topic, content, rendered }: Draft) {
  const others = people.filter(({ id }) => id !== sender.id)
  const named = others.length > 0 ? others : people
  return {
    channelId: channel?.id ?? null,
    to: named.map(({ id }) => id),
    topic,
    content,
    renderedContent: rendered.html,
  }
}
