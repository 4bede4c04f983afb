import * as v from 'valibot'
import { integrations } from '#features/bots/integrations.ts'
import { wrongSecret } from '#features/incoming-webhooks/actions.ts'
import { type Note, requirePayload, unsupported } from '#features/incoming-webhooks/note.ts'
import { constantTimeEqual } from '#platform/constant-time.ts'
import { badRequest } from '#platform/errors.ts'
import type { RequestFacts } from '#platform/http/reply.ts'
import { eventsOf } from './events.ts'

const { gitlab } = integrations

/**
 * The note for an event of GitLab; undefined if it is filtered out or not worth a message.
 *
 * @param branches the selected branches, separated by commas; undefined: all
 * @throws BAD_REQUEST a missing event name, or an invalid payload
 * @throws UNSUPPORTED_WEBHOOK_EVENT_TYPE
 * @source GitLab Docs, "Webhook events"
 */
export function gitlabNote(
  event: string | undefined,
  payload: unknown,
  branches: string | undefined,
): Note | undefined {
  if (event === undefined) throw badRequest("Missing the HTTP event header 'X-Gitlab-Event'")
  const known = Object.hasOwn(eventsOf, event) ? eventsOf[event] : undefined
  if (!known) throw unsupported(gitlab, event.slice(0, 100))
  const { object_attributes } = requirePayload(gitlab, event, hasAction, payload)
  const action = object_attributes?.action ?? undefined
  const said = known(event, payload, branches)
  if (said === 'unsupported') throw unsupported(gitlab, `${event}:${action}`.slice(0, 100))
  return said && { ...said, event, ...(action !== undefined && { action }) }
}

const hasAction = v.object({
  object_attributes: v.optional(v.object({ action: v.nullish(v.string()) })),
})

/**
 * Checks GitLab's secret token.
 *
 * @param botId whose secret it is
 * @throws RATE_LIMIT_HIT too many tokens were wrong
 * @throws UNAUTHORIZED the request does not carry the secret token
 */
export function requireToken(secret: string, { guess, header }: RequestFacts, botId: number): void {
  const counted = guess(botId)
  if (!constantTimeEqual(header('x-gitlab-token') ?? '', secret)) throw wrongSecret()
  counted.right()
}
