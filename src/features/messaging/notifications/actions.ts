import { subscriberIds } from '#features/foundation/channels/queries.ts'
import type { SentMessage } from '#features/foundation/core/occasions.ts'
import { quietTimeEnd } from '#features/foundation/quiet-times/rules.ts'
import { findSystemBot } from '#features/foundation/users/queries.ts'
import { userSetting } from '#features/foundation/users/settings.queries.ts'
import { seconds } from '#platform/clock.ts'
import { wakeJobs } from '#platform/jobs/wake.ts'
import { slices } from '#platform/slices.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { canNotify } from './availability.rules.ts'
import { isUrgent, type MessageRelevance } from './decision.ts'
import { groupFinder } from './named-groups.rules.ts'
import { insertPush, listDestinations } from './pushes.queries.ts'
import {
  insertNotification,
  insertPart,
  listWanting,
  type NotificationPart,
  updateMailDue,
} from './queries.ts'
import { recheckPushesOf } from './revoking.actions.ts'
import {
  isAbsent,
  isNotifiable,
  type NotifiableMessage,
  relevanceOf,
  type Triggers,
  triggersOf,
  wantsAll,
} from './rules.ts'

/**
 * Stores which users are to be notified about a new message. Candidates are found with indexes, so
 * that other recipients cost nothing.
 */
export function notify(tx: Tx, { message, recipient, bits, hasRead }: SentMessage): void {
  if (!canNotify(tx)) return
  const { channel } = recipient
  const userIds = channel
    ? new Set([
        ...bits.keys(),
        ...listWanting(tx, channel.id, message.topicKey),
        ...(message.channelWildcard ? subscriberIds(tx, channel.id) : []),
      ])
    : recipient.people.map(({ id }) => id)
  consider(tx, { message, channel, bits, hasRead }, [...userIds], false)
}

/** The mentions of a message before an edit. */
export interface MentionsBefore {
  readonly bits: ReadonlyMap<number, number>
  readonly channelWildcard: boolean
}

/**
 * Stores which users are to be notified about an edited message: those newly mentioned, unless they
 * were notified about it anyway. Only in channels.
 */
export function notifyOfEdit(tx: Tx, notifiable: NotifiableMessage, before: MentionsBefore): void {
  const { message, channel, bits } = notifiable
  // Users who are no longer mentioned should not see it on their devices.
  recheckPushesOf(tx, [message.id])
  if (!canNotify(tx) || !channel || before.channelWildcard) return
  const all = message.channelWildcard ? subscriberIds(tx, channel.id) : []
  const added = [...new Set([...bits.keys(), ...all])].filter((id) => !before.bits.get(id))
  consider(tx, notifiable, added, true)
}

/**
 * How many users are considered at a time. If there are more, `notifyPart` considers that many at a
 * time.
 */
const mostAtOnce = 250

/** Stores which of these users are to be notified, or leaves that to a job if there are many. */
function consider(
  tx: Tx,
  notifiable: NotifiableMessage,
  userIds: readonly number[],
  isEdit: boolean,
): void {
  if (userIds.length <= mostAtOnce) {
    notifyPart(tx, notifiable, { userIds, isEdit })
    return
  }
  for (const some of slices(userIds, mostAtOnce))
    insertPart(tx, notifiable.message.id, isEdit, some)
  wakeJobs(tx)
}

/**
 * Stores which of these users are to be notified.
 *
 * @param part.isEdit leaves out users who were notified about the message before its edit anyway
 */
export function notifyPart(
  tx: Tx,
  notifiable: NotifiableMessage,
  { userIds, isEdit }: Pick<NotificationPart, 'userIds' | 'isEdit'>,
): void {
  store(tx, notifiable, userIds, {
    isIdle: (userId) => isAway(tx, userId),
    isAsked: (userId, relevance) => !isEdit || !wantsAll(tx, userId, relevance),
  })
}

/**
 * Stores that someone is to be notified about a message whose client no longer asks for events.
 */
export function notifyOffline(tx: Tx, notifiable: NotifiableMessage, userId: number): void {
  if (!canNotify(tx)) return
  store(tx, notifiable, [userId], { isIdle: () => true, isAsked: () => true })
}

/** Whether someone is away by their presence, or has no client that asks for events. */
function isAway(tx: Tx, userId: number): boolean {
  return isAbsent(tx, userId) || !tx.isListening(userId)
}

function store(
  tx: Tx,
  notifiable: NotifiableMessage,
  userIds: readonly number[],
  checks: {
    isIdle(userId: number): boolean
    isAsked(userId: number, relevance: MessageRelevance): boolean
  },
): void {
  const asked = userIds.filter((id) => isNotifiable(tx, id, notifiable) && !notifiable.hasRead(id))
  if (asked.length === 0 || isOnboarding(tx, notifiable)) return
  const groupOf = groupFinder(tx, notifiable)
  let isAnyStored = false
  for (const [userId, relevance] of relevanceOf(tx, notifiable, asked)) {
    if (!checks.isAsked(userId, relevance)) continue
    const triggers = triggersOf(tx, userId, relevance)
    if (!triggers.push && !triggers.email) continue
    const quietUntil = quietTimeEnd(tx, userId)
    const now = allowed(tx, userId, triggers, checks.isIdle(userId), quietUntil)
    const devices = now.push ? listDestinations(tx, userId, isUrgent(now.push)) : []
    if (devices.length === 0 && !now.email) continue
    const messageId = notifiable.message.id
    const isNew = insertNotification(tx, {
      userId,
      messageId,
      pushTrigger: (devices.length > 0 && now.push) || null,
      emailTrigger: now.email ?? null,
      groupId: relevance.isMentioned ? groupOf(userId) : null,
      createdAt: seconds(tx.clock),
      emailDueAt: now.email ? mailDue(tx, userId, quietUntil) : null,
    })
    if (!isNew) continue
    for (const device of devices) insertPush(tx, userId, device, messageId)
    isAnyStored = true
  }
  if (isAnyStored) wakeJobs(tx)
}

/**
 * Mail is for users who are away; so are pushes, unless someone wants them all the time. In quiet
 * times there are no pushes, not even later: messages are no longer news once it is over.
 *
 * @param quietUntil as of `quietTimeEnd`
 */
function allowed(
  read: Read,
  userId: number,
  triggers: Triggers,
  isIdle: boolean,
  quietUntil: number | undefined,
): Triggers {
  const push = quietUntil === undefined ? triggers.push : undefined
  if (isIdle) return { ...triggers, push }
  const always = userSetting(read, userId, 'enable_online_push_notifications')
  return { push: always ? push : undefined, email: undefined }
}

/** When a mail about a message is due; the first one is about all messages that wait by then. */
function mailDue(read: Read, userId: number, quietUntil: number | undefined): number {
  const now = seconds(read.clock)
  return Math.max(now + mailPeriod(read, userId), quietUntil ?? 0)
}

function mailPeriod(read: Read, userId: number): number {
  return userSetting(read, userId, 'email_notifications_batching_period_seconds')
}

/**
 * Makes the waiting mails of a user due when new quiet times end, or immediately if there are none.
 */
export function rescheduleMail(tx: Tx, { userId }: { readonly userId: number }): void {
  updateMailDue(tx, userId, mailPeriod(tx, userId), quietTimeEnd(tx, userId) ?? 0)
  wakeJobs(tx)
}

/** Welcome Bot's messages greet users who are just looking around. */
function isOnboarding(read: Read, { message }: NotifiableMessage): boolean {
  return findSystemBot(read, 'welcome-bot')?.id === message.senderId
}
