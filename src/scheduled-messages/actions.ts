import { scheduleFiles, unscheduleFiles } from '#attachments/claims.ts'
import { seconds } from '#clock.ts'
import { ApiError, badRequest } from '#errors.ts'
import { wakeJobs } from '#jobs/wake.ts'
import type { Draft } from '#messages/compose.ts'
import { requireSendable } from '#messages/rules.ts'
import { limits } from '#realm/limits.ts'
import type { Read, Tx } from '#store/write.ts'
import type { User } from '#users/queries.ts'
import { scheduledMessageEvent, scheduledMessageRemoveEvent } from './events.ts'
import { scheduledMessageJson } from './json.ts'
import {
  countScheduledMessages,
  deleteScheduledMessage,
  findScheduledMessage,
  insertScheduledMessage,
  type ScheduledMessage,
  updateScheduledMessage,
} from './queries.ts'

/**
 * Keeps a message to be sent later, and emits `scheduled_messages`/`add`.
 *
 * @param deliverAt seconds since the epoch
 * @returns its id
 * @throws BAD_REQUEST not in the future, too many, or what sending would throw now
 * @source the API description's "Create a scheduled message"
 */
export function scheduleMessage(tx: Tx, sender: User, draft: Draft, deliverAt: number): number {
  requireFuture(tx, deliverAt)
  if (countScheduledMessages(tx, sender.id) >= limits.scheduledMessages) {
    throw badRequest(`You have too many scheduled messages (limit: ${limits.scheduledMessages})`)
  }
  requireSendable(tx, sender, draft)
  const message = insertScheduledMessage(tx, {
    senderId: sender.id,
    ...storedDraft(sender, draft),
    deliverAt,
    readBySender: draft.readBySender,
    client: draft.client,
  })
  scheduleFiles(tx, sender, message.id, draft.rendered.links.uploads)
  tellSender(tx, 'add', message)
  wakeJobs(tx)
  return message.id
}

export interface ScheduleChange {
  /** The message as it is to be; undefined leaves it as it is. */
  readonly draft: Draft | undefined
  /** Seconds since the epoch; undefined leaves it. */
  readonly deliverAt: number | undefined
}

/**
 * Changes a scheduled message, and emits `scheduled_messages`/`update`.
 *
 * @throws NOT_FOUND there is none, or no longer; BAD_REQUEST not in the future, what sending would
 * throw now, or a failed one without a new time
 * @source the API description's "Edit a scheduled message"
 */
export function editScheduledMessage(
  tx: Tx,
  sender: User,
  id: number,
  { draft, deliverAt }: ScheduleChange,
): void {
  const before = accessScheduledMessage(tx, sender, id)
  if (deliverAt !== undefined) requireFuture(tx, deliverAt)
  else if (before.failed) throw badRequest('A message that could not be sent needs a new time.')
  if (draft) requireSendable(tx, sender, draft)
  const changed = updateScheduledMessage(tx, id, {
    ...(draft && storedDraft(sender, draft)),
    ...(deliverAt !== undefined && { deliverAt, failed: false }),
  })
  if (draft) scheduleFiles(tx, sender, id, draft.rendered.links.uploads)
  tellSender(tx, 'update', changed)
  wakeJobs(tx)
}

/** Gives a scheduled message up, and emits `scheduled_messages`/`remove`. @throws NOT_FOUND */
export function cancelScheduledMessage(tx: Tx, sender: User, id: number): void {
  removeScheduledMessage(tx, accessScheduledMessage(tx, sender, id))
}

/** Removes what was sent or given up, and tells its sender's clients. */
export function removeScheduledMessage(tx: Tx, { id, senderId }: ScheduledMessage): void {
  deleteScheduledMessage(tx, id)
  unscheduleFiles(tx, id)
  tx.emit(scheduledMessageRemoveEvent(id), [senderId])
}

/** Tells the sender's clients what a scheduled message is now. */
export function tellSender(tx: Tx, op: 'add' | 'update', message: ScheduledMessage): void {
  const named = scheduledMessageJson(tx, message, false)
  const empty = scheduledMessageJson(tx, message, true)
  tx.emit(
    scheduledMessageEvent(op, (allowEmptyTopicName) => (allowEmptyTopicName ? empty : named)),
    [message.senderId],
  )
}

/** @throws NOT_FOUND also for what others scheduled */
export function accessScheduledMessage(read: Read, sender: User, id: number): ScheduledMessage {
  const message = findScheduledMessage(read, sender.id, id)
  if (!message) throw new ApiError('NOT_FOUND', 'Scheduled message does not exist')
  return message
}

function requireFuture(read: Read, deliverAt: number): void {
  if (deliverAt <= seconds(read.clock)) {
    throw badRequest('Scheduled delivery time must be in the future.')
  }
}

/** The people of a direct message are kept without its sender, unless that is the only one. */
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
