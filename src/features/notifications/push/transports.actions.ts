import type { PushTarget } from '#features/notifications/notifications/pushes.queries.ts'
import {
  notifyPhones,
  type PhoneOutcome,
  type PhonePush,
  phonesOf,
  recordPhones,
} from '#features/notifications/phone-push/notifying.actions.ts'
import { arePhonesNotified } from '#features/notifications/phone-push/queries.ts'
import { recordOutcome } from '#features/notifications/web-push/outcomes.actions.ts'
import { findSubscription } from '#features/notifications/web-push/queries.ts'
import { type Outcome, sendWebPush } from '#features/notifications/web-push/sending.actions.ts'
import type { SystemContext } from '#platform/context.ts'
import type { Tx } from '#platform/store/write.ts'
import { badgeCount } from './badge.rules.ts'
import type { Notice } from './notice.rules.ts'
import { phoneMessage, phoneRemoval } from './phones.json.ts'
import { webMessage, webOptions } from './web.json.ts'

/** A way to a target: how to tell its devices of messages, in their own form. */
export interface PushWay {
  /** @param ttl how long it is worth delivering, in seconds */
  show(notice: Notice, ttl: number): Promise<Outcome>
  /** Lets devices show messages no longer. @param messageIds ascending */
  remove(messageIds: readonly number[]): Promise<Outcome>
  /** Stores what an outcome showed about the target. */
  record(tx: Tx, outcome: Outcome): void
}

/** The way to a target; undefined if its devices are gone. */
export function wayTo(server: SystemContext, target: PushTarget): PushWay | undefined {
  return target.subscriptionId === null
    ? phoneWay(server, target.userId)
    : webWay(server, target.userId, target.subscriptionId)
}

/** All phones of a user: the push service for them tells each. */
function phoneWay(server: SystemContext, userId: number): PushWay | undefined {
  if (!arePhonesNotified(server.store) || phonesOf(server.store, userId).length === 0) {
    return undefined
  }
  const found = new Map<Outcome, PhoneOutcome>()
  async function send(push: PhonePush): Promise<Outcome> {
    const phones = await notifyPhones(server, userId, push)
    const outcome = outcomeOf(phones)
    found.set(outcome, phones)
    return outcome
  }
  return {
    show: (notice) => send(phoneMessage(server, notice)),
    remove: (messageIds) => send(phoneRemoval(server, userId, messageIds)),
    record(tx, outcome) {
      const phones = found.get(outcome)
      if (phones) recordPhones(tx, server, phones)
    },
  }
}

/** What it means for the pushes: with a service that is off, the phones are out of reach. */
function outcomeOf({ kind }: PhoneOutcome): Outcome {
  if (kind === 'sent' || kind === 'refused') return { kind }
  return { kind: kind === 'off' ? 'gone' : 'later' }
}

/** How long it is worth telling a device that is off what was read, in seconds. */
const removalTtl = 24 * 3600

function webWay(
  server: SystemContext,
  userId: number,
  subscriptionId: number,
): PushWay | undefined {
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
    record: (tx, outcome) => recordOutcome(tx, subscriptionId, outcome),
  }
}

/** Whether a device's system withdraws the permission if a push shows nothing, as Apple's do. */
function mustShow(endpoint: string): boolean {
  return new URL(endpoint).hostname.endsWith('.push.apple.com')
}
