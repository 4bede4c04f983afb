import type { Context, SystemContext } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { deleteToken, listTokens, type PushToken } from './queries.ts'
import {
  accessOf,
  finalRefusals,
  idsOf,
  requireUpload,
  setProblem,
  tokenKinds,
  unknownRealm,
} from './service.actions.ts'
import { callService, type ServiceReply } from './service.ts'
import { unknownToService } from './testing.rules.ts'

/** A notification for the phones of a user, in the forms of Google's and of Apple's service. */
export interface PhonePush {
  readonly fcm: object
  readonly apns: object
  readonly priority: 'high' | 'normal'
}

/** The result. */
export type PhoneOutcome =
  | { readonly kind: 'sent'; readonly gone: readonly PushToken[] }
  | { readonly kind: 'later' }
  /** The service takes nothing from this server. */
  | { readonly kind: 'off'; readonly problem: string }
  /** The service needs the facts about the organization first. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refused' }

/** The phones of a user that are registered with the service. */
export function phonesOf(read: SystemContext['store'], userId: number): PushToken[] {
  return listTokens(read, userId).filter(({ serviceDueAt }) => serviceDueAt === null)
}

/** Sends a notification to all phones of a user. */
export async function notifyPhones(
  server: SystemContext,
  userId: number,
  { fcm, apns, priority }: PhonePush,
): Promise<PhoneOutcome> {
  const phones = phonesOf(server.store, userId)
  const tokensOf = (kind: PushToken['kind']) =>
    phones.filter((phone) => phone.kind === kind).map(({ token }) => token)
  const json = {
    ...idsOf(server, userId),
    gcm_payload: fcm,
    apns_payload: apns,
    gcm_options: { priority },
    android_devices: tokensOf('fcm'),
    apple_devices: tokensOf('apns'),
  }
  let reply: ServiceReply
  try {
    reply = await callService(accessOf(server), '/push/notify', { json })
  } catch (error) {
    server.log.warn({ err: error }, 'phones were not notified')
    return { kind: 'later' }
  }
  if ('refusedBecause' in reply) {
    const { refusedBecause: problem } = reply
    if (finalRefusals.includes(problem)) return { kind: 'off', problem }
    return { kind: problem === unknownRealm ? 'unknown' : 'refused' }
  }
  const { android_devices = [], apple_devices = [] } = (reply.body.deleted_devices ?? {}) as {
    android_devices?: readonly string[]
    apple_devices?: readonly string[]
  }
  const deleted = { fcm: android_devices, apns: apple_devices }
  return { kind: 'sent', gone: phones.filter(({ kind, token }) => deleted[kind].includes(token)) }
}

/** Stores the consequences of a result for the phones and the service. */
export function recordPhones(tx: Tx, server: Context, outcome: PhoneOutcome): void {
  if (outcome.kind === 'sent') for (const phone of outcome.gone) deleteToken(tx, phone)
  else if (outcome.kind === 'off') setProblem(tx, server, outcome.problem)
  else if (outcome.kind === 'unknown') requireUpload(tx)
}

/**
 * Sends a test notification to phones.
 *
 * @param base the common members of notifications
 * @throws INVALID_REMOTE_PUSH_DEVICE_TOKEN the service does not know a phone
 * @throws BAD_REQUEST the service accepts nothing now
 */
export async function testPhones(
  server: SystemContext,
  userId: number,
  phones: readonly PushToken[],
  base: object,
): Promise<void> {
  for (const { kind, token } of phones) {
    const json = {
      ...idsOf(server, userId),
      token,
      token_kind: Number(tokenKinds[kind]),
      base_payload: base,
    }
    let reply: ServiceReply
    try {
      reply = await callService(accessOf(server), '/push/test_notification', { json })
    } catch (error) {
      server.log.warn({ err: error }, 'a test notification was not sent')
      throw new ApiError(
        'BAD_REQUEST',
        sentSentence('The push service is not answering. Try again later.'),
      )
    }
    if (!('refusedBecause' in reply)) continue
    if (reply.refusedBecause === 'INVALID_REMOTE_PUSH_DEVICE_TOKEN') {
      throw unknownToService()
    }
    throw new ApiError(
      'BAD_REQUEST',
      sentSentence('The push service is not accepting notifications.'),
    )
  }
}
