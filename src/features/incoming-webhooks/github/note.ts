import { createHmac } from 'node:crypto'
import * as v from 'valibot'
import { integrations } from '#features/bots/integrations.ts'
import { wrongSecret } from '#features/incoming-webhooks/actions.ts'
import { type Note, requirePayload, unsupported } from '#features/incoming-webhooks/note.ts'
import { constantTimeEqual } from '#platform/constant-time.ts'
import { badRequest } from '#platform/errors.ts'
import type { RequestFacts } from '#platform/http/reply.ts'
import { eventsOf } from './events.ts'

const { github } = integrations

/**
 * The note for an event of GitHub; undefined if the webhook URL filters it out.
 *
 * @param branches the selected branches, separated by commas; undefined: all
 * @throws BAD_REQUEST a missing event name, or an invalid payload
 * @throws UNSUPPORTED_WEBHOOK_EVENT_TYPE
 * @source GitHub Docs, "Webhook events and payloads"
 */
export function githubNote(
  event: string | undefined,
  payload: unknown,
  branches: string | undefined,
): Note | undefined {
  if (event === undefined) throw badRequest("Missing the HTTP event header 'X-GitHub-Event'")
  const known = Object.hasOwn(eventsOf, event) ? eventsOf[event] : undefined
  if (!known) throw unsupported(github, event.slice(0, 100))
  const { action } = requirePayload(github, event, hasAction, payload)
  const said = known(event, payload, branches)
  if (said === 'unsupported') throw unsupported(github, `${event}:${action}`.slice(0, 100))
  return said && { ...said, event, ...(action !== undefined && { action }) }
}

const hasAction = v.object({ action: v.optional(v.string()) })

/**
 * Checks GitHub's signature.
 *
 * @param botId whose secret it is
 * @throws RATE_LIMIT_HIT too many signatures were wrong
 * @throws UNAUTHORIZED the payload was not signed with the secret
 * @source GitHub Docs, "Validating webhook deliveries"
 */
export function requireSignature(
  secret: string,
  { body, guess, header }: RequestFacts,
  botId: number,
): void {
  const counted = guess(botId)
  const right = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  if (!constantTimeEqual(header('x-hub-signature-256') ?? '', right)) throw wrongSecret()
  counted.right()
}
