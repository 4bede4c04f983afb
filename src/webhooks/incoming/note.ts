import * as v from 'valibot'
import { ApiError, badRequest } from '#errors.ts'
import type { Integration } from '#webhooks/integrations.ts'

/** What is said here of something that happened in another service. */
export interface Note {
  /** Where it is said, unless the address names a topic. */
  readonly topic: string
  readonly content: string
  /** What happened, for `only_events` and `exclude_events`; null: the service does not say. */
  readonly event: string | null
  /** Narrower than the event: what was done in it. */
  readonly action?: string | undefined
}

/** Parts of payloads: what is not named there may be anything. */
export const text = v.string()
export const maybeText = v.nullish(v.string())
export const integer = v.pipe(v.number(), v.safeInteger())

/** A payload of the form that its service documents. @throws BAD_REQUEST naming what is amiss */
export function requirePayload<T>(
  { displayName }: Integration,
  event: string,
  schema: v.GenericSchema<unknown, T>,
  payload: unknown,
): T {
  const result = v.safeParse(schema, payload, { abortEarly: true })
  if (result.success) return result.output
  const [issue] = result.issues
  const place = (issue.path ?? []).map(({ key }) => String(key).slice(0, 50)).join('.')
  throw badRequest(
    `This is no payload of ${displayName}'s '${event}' event: ${place || 'all of it'} is wrong.`,
  )
}

/**
 * The answer to an event that nothing is said about. Its status is that of a success, so that the
 * service goes on sending others.
 */
export function unsupported({ displayName }: Integration, event: string): ApiError {
  return new ApiError(
    'UNSUPPORTED_WEBHOOK_EVENT_TYPE',
    `The '${event}' event isn't currently supported by the ${displayName} webhook; ignoring`,
    { webhook_name: displayName, event_type: event },
  )
}

/** Whether a name is one of these patterns, in which `*` stands for anything. */
export function fits(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const [first = '', ...rest] = pattern.split('*')
    if (rest.length === 0) return name === pattern
    if (!name.startsWith(first)) return false
    const last = rest.pop() ?? ''
    let at = first.length
    for (const part of rest) {
      const found = name.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    return name.length - last.length >= at && name.endsWith(last)
  })
}
