import { createHmac } from 'node:crypto'
import * as v from 'valibot'
import { badRequest } from '#errors.ts'
import type { RequestFacts } from '#http/reply.ts'
import { sameText } from '#same-text.ts'
import { wrongSecret } from '#webhooks/incoming/actions.ts'
import { type Note, requirePayload, unsupported } from '#webhooks/incoming/note.ts'
import { integrations } from '#webhooks/integrations.ts'
import { eventsOf } from './events.ts'

const { github } = integrations

/**
 * What is said of an event of GitHub; undefined where the address wants no word of it.
 *
 * @param branches those whose pushes are wanted, by commas; undefined: all
 * @throws BAD_REQUEST no event, or a payload that is not of its form
 * @throws UNSUPPORTED_WEBHOOK_EVENT_TYPE
 * @source GitHub's documentation, "Webhook events and payloads"
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
 * @throws UNAUTHORIZED a payload that was not signed with the secret
 * @source GitHub's documentation, "Validating webhook deliveries"
 */
export function requireSignature(secret: string, { body, header }: RequestFacts): void {
  const right = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  if (!sameText(header('x-hub-signature-256') ?? '', right)) throw wrongSecret()
}
