import * as v from 'valibot'
import { badRequest } from '#errors.ts'
import type { RequestFacts } from '#http/reply.ts'
import { sameText } from '#same-text.ts'
import { wrongSecret } from '#webhooks/incoming/actions.ts'
import { type Note, requirePayload, unsupported } from '#webhooks/incoming/note.ts'
import { integrations } from '#webhooks/integrations.ts'
import { eventsOf } from './events.ts'

const { gitlab } = integrations

/**
 * What is said of an event of GitLab; undefined where nothing is to be said of it.
 *
 * @param branches those whose pushes and pipelines are wanted, by commas; undefined: all
 * @throws BAD_REQUEST no event, or a payload that is not of its form
 * @throws UNSUPPORTED_WEBHOOK_EVENT_TYPE
 * @source GitLab's documentation, "Webhook events"
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

/** @throws UNAUTHORIZED a request without the secret token */
export function requireToken(secret: string, { header }: RequestFacts): void {
  if (!sameText(header('x-gitlab-token') ?? '', secret)) throw wrongSecret()
}
