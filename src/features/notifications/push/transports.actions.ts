import type { PushTarget } from '#features/messaging/notifications/pushes.queries.ts'
import {
  notifyPhones,
  type PhoneOutcome,
  type PhonePush,
  phonesOf,
  recordPhones,
} from '#features/notifications/phone-push/notifying.actions.ts'
import { arePhonesNotified } from '#features/notifications/phone-push/queries.ts'
import { findSubscription } from '#features/notifications/web-push/queries.ts'
import { recordPushResult } from '#features/notifications/web-push/results.actions.ts'
import { type PushResult, sendWebPush } from '#features/notifications/web-push/sending.actions.ts'
import type { SystemContext } from '#platform/context.ts'
import type { Tx } from '#platform/store/store.ts'
import { badgeCount } from './badge.rules.ts'
import type { Notice } from './notice.rules.ts'
import { phoneMessage, phoneRemoval } from './phones.json.ts'
import { webMessage, webOptions } from './web.json.ts'

/** A transport to a target: notifies its devices about messages, in their own form. */
export interface PushTransport {
  /** @param ttl how long it is worth delivering, in seconds */
  show(notice: Notice, ttl: number): Promise<PushResult>
  /** Removes messages from devices. @param messageIds ascending */
  remove(messageIds: readonly number[]): Promise<PushResult>
  /** Stores the consequences of a result for the target. */
  record(tx: Tx, result: PushResult): void
}

/** The transport to a target; undefined if its devices are gone. */
export function transportTo(server: SystemContext, target: PushTarget): PushTransport | undefined {
  return target.subscriptionId === null
    ? phoneTransport(server, target.userId)
    : webTransport(server, target.userId, target.subscriptionId)
}

/** All phones of a user: their push service notifies each. */
function phoneTransport(server: SystemContext, userId: number): PushTransport | undefined {
  if (!arePhonesNotified(server.store) || phonesOf(server.store, userId).length === 0) {
    return undefined
  }
  const found = new Map<PushResult, PhoneOutcome>()
  async function send(push: PhonePush): Promise<PushResult> {
    const phones = await notifyPhones(server, userId, push)
    const result = pushResultOf(phones)
    found.set(result, phones)
    return result
  }
  return {
    show: (notice) => send(phoneMessage(server, notice)),
    remove: (messageIds) => send(phoneRemoval(server, userId, messageIds)),
    record(tx, result) {
      const phones = found.get(result)
      if (phones) recordPhones(tx, server, phones)
    },
  }
}

/** The result for the pushes: if the service is off, the phones are out of reach. */
function pushResultOf({ kind }: PhoneOutcome): PushResult {
  if (kind === 'sent' || kind === 'refused') return { kind }
  return { kind: kind === 'off' ? 'gone' : 'later' }
}

/** How long a removal is worth delivering to a device that is off, in seconds. */
const removalTtl = 24 * 3600

function webTransport(
  server: SystemContext,
  userId: number,
  subscriptionId: number,
): PushTransport | undefined {
  const subscription = findSubscription(server.store, subscriptionId)
  if (!subscription) return undefined
  return {
    show: (notice, ttl) =>
      sendWebPush(server, subscription, webMessage(server.store, notice), webOptions(notice, ttl)),
    async remove(message_ids) {
      if (mustShow(subscription.endpoint)) return { kind: 'sent' }
      const count = badgeCount(server.store, userId)
      const payload = { type: 'remove', message_ids, count } as const
      return await sendWebPush(server, subscription, payload, { ttl: removalTtl, urgency: 'low' })
    },
    record: (tx, result) => recordPushResult(tx, subscriptionId, result),
  }
}

/** Whether a device's system withdraws the permission if a push shows nothing, as Apple's do. */
function mustShow(endpoint: string): boolean {
  return new URL(endpoint).hostname.endsWith('.push.apple.com')
}
