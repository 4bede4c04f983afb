import { createHmac } from 'node:crypto'
import { requireRealm } from '#features/foundation/realm/queries.ts'
import { seconds } from '#platform/clock.ts'
import type { Context, SystemContext } from '#platform/context.ts'
import { fetchOutside, OutsideError, type OutsideReply } from '#platform/outgoing/fetch.ts'
import { encrypt, longestPlaintext } from './encryption.ts'
import type { WebPayload } from './payload.ts'
import { withShorterBody } from './payload.ts'
import { findVapidKey, isEntitled, type Subscription } from './queries.ts'
import { vapidHeader } from './vapid.ts'

/** The result of a push. */
export type PushResult =
  | { readonly kind: 'sent' }
  /** The device can no longer be reached: the subscription is to be deleted. */
  | { readonly kind: 'gone' }
  /** Nothing is accepted now. @property after when to try again, in seconds; undefined: soon */
  | { readonly kind: 'later'; readonly after?: number | undefined }
  /** This push will never be accepted; others may be. */
  | { readonly kind: 'refused' }

export interface PushOptions {
  /** How long the push service keeps it for a device that is off, in seconds. */
  readonly ttl: number
  readonly urgency: 'low' | 'normal' | 'high'
  /** The topic: it replaces an older waiting push with the same one; undefined: none. */
  readonly replaces?: string
}

/**
 * Sends a push to a device, whose address is checked each time. A payload that is too long gets a
 * shorter text.
 *
 * @source RFC 8030, sections 5 and 7; RFC 8291; RFC 8292
 */
export async function sendWebPush(
  server: Pick<SystemContext, 'config' | 'clock' | 'store' | 'realmUrl'>,
  subscription: Subscription,
  payload: WebPayload,
  options: PushOptions,
): Promise<PushResult> {
  if (!isEntitled(server.store, subscription)) return { kind: 'gone' }
  const first = await post(server, subscription, payload, options, longestPlaintext)
  if (first?.status !== 413) return outcomeOf(server, first)
  const second = await post(server, subscription, payload, options, longestPlaintext / 2)
  return second?.status === 413 ? { kind: 'refused' } : outcomeOf(server, second)
}

/** The answer of the push service; undefined if there is none. */
async function post(
  server: Pick<SystemContext, 'config' | 'clock' | 'store' | 'realmUrl'>,
  { endpoint, p256dh, auth }: Subscription,
  payload: WebPayload,
  { ttl, urgency, replaces }: PushOptions,
  most: number,
): Promise<Pick<OutsideReply, 'status' | 'headers'> | undefined> {
  const key = findVapidKey(server.store)
  if (!key) throw new Error('The server has no key for Web Push.')
  const text = Buffer.from(JSON.stringify(withShorterBody(payload, most)))
  const to = { p256dh: Buffer.from(p256dh, 'base64url'), auth: Buffer.from(auth, 'base64url') }
  const { origin } = new URL(endpoint)
  try {
    return await fetchOutside(server, endpoint, {
      method: 'POST',
      body: encrypt(text, to),
      headers: {
        Authorization: vapidHeader(key, origin, contactOf(server), seconds(server.clock)),
        'Content-Encoding': 'aes128gcm',
        'Content-Type': 'application/octet-stream',
        TTL: String(ttl),
        Urgency: urgency,
        ...(replaces !== undefined && { Topic: topicOf(server, replaces) }),
      },
      limit: replyLimit,
    })
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    // Waiting does not open an address that the server never connects to.
    return error.refused ? { status: 400, headers: {} } : undefined
  }
}

/** The most bytes of an answer that are received, and ignored. */
const replyLimit = 64 * 1024

/** The longest pause that a push service can ask for, in seconds. */
const longestPause = 24 * 3600

function outcomeOf(
  { clock }: Pick<Context, 'clock'>,
  reply: Pick<OutsideReply, 'status' | 'headers'> | undefined,
): PushResult {
  if (!reply) return { kind: 'later' }
  const { status, headers } = reply
  if (status >= 200 && status < 300) return { kind: 'sent' }
  // With 401 and 403 the subscription belongs to another key; the page makes a new one.
  if ([401, 403, 404, 410].includes(status)) return { kind: 'gone' }
  if (status === 429 || status === 408 || status >= 500) {
    return { kind: 'later', after: pauseIn(headers['retry-after'], clock.now()) }
  }
  return { kind: 'refused' }
}

/** @param now in milliseconds since the epoch @source RFC 9110, section 10.2.3 */
function pauseIn(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const wait = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - now) / 1000
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(Math.ceil(wait), 1), longestPause)
}

/** The contact address for push services. */
function contactOf({ realmUrl }: Pick<Context, 'realmUrl'>): string {
  const { protocol, hostname } = new URL(realmUrl)
  return protocol === 'https:' ? realmUrl : `mailto:noreply@${hostname}`
}

/** A name for a conversation that reveals nothing to the push service: 32 characters. */
function topicOf({ store }: Pick<SystemContext, 'store'>, conversation: string): string {
  return createHmac('sha256', Buffer.from(requireRealm(store).secret, 'hex'))
    .update(`web push ${conversation}`)
    .digest('base64url')
    .slice(0, 32)
}
