import { createHmac } from 'node:crypto'
import type { Bot, BotService } from '#features/foundation/bots/queries.ts'
import { requireRealm } from '#features/foundation/realm/queries.ts'
import type { Read } from '#platform/store/store.ts'

/** A bot with a service. */
export type ServedBot = Bot & { readonly service: BotService }

/** The secret with which the server signs what it posts to a bot's service; 64 hexadecimal digits. */
export function signingSecret(read: Read, { user, service }: ServedBot): string {
  return createHmac('sha256', Buffer.from(requireRealm(read).secret, 'hex'))
    .update(`outgoing webhook ${user.id} ${service.token}`)
    .digest('hex')
}

/**
 * The headers that prove that a body is from this server, and when it was sent: `v1=` and the
 * HMAC-SHA256 of `v1:TIMESTAMP:BODY`. Services made for Slack get them in Slack's form as well.
 *
 * @param timestamp in seconds since the epoch
 * @source Slack, "Verifying requests from Slack" (read 24 November 2026)
 */
export function signatureHeaders(
  secret: string,
  body: string,
  timestamp: number,
  isSlack: boolean,
): Record<string, string> {
  const sign = (version: string) =>
    `${version}=${createHmac('sha256', secret).update(`${version}:${timestamp}:${body}`).digest('hex')}`
  return {
    'X-Parley-Timestamp': String(timestamp),
    'X-Parley-Signature': sign('v1'),
    ...(isSlack && {
      'X-Slack-Request-Timestamp': String(timestamp),
      'X-Slack-Signature': sign('v0'),
    }),
  }
}
