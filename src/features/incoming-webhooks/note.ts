import * as v from 'valibot'
import type { Integration } from '#features/bots/integrations.ts'
import { ApiError, badRequest } from '#platform/errors.ts'

/** The message about an event in another service. */
export interface Note {
  /** The default topic; the webhook URL can name another. */
  readonly topic: string
  readonly content: string
  /**
   * The event's name for `only_events` and `exclude_events`; null if the service does not name
   * events.
   */
  readonly event: string | null
  /** The event's action, such as `opened`. */
  readonly action?: string | undefined
}

/** Parts of payload schemas. Members that a schema does not name may have any value. */
export const text = v.string()
export const maybeText = v.nullish(v.string())
export const integer = v.pipe(v.number(), v.safeInteger())

/**
 * Checks a payload against the form that its service documents.
 *
 * @throws BAD_REQUEST names the invalid member
 */
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
    `This is not a payload of ${displayName}'s '${event}' event: ${place || 'all of it'} is wrong.`,
  )
}

/**
 * The reply to an event that this server does not support. Its HTTP status is 200, so that the
 * service does not disable the webhook.
 */
export function unsupported({ displayName }: Integration, event: string): ApiError {
  return new ApiError(
    'UNSUPPORTED_WEBHOOK_EVENT_TYPE',
    `The '${event}' event isn't currently supported by the ${displayName} webhook; ignoring`,
    { webhook_name: displayName, event_type: event },
  )
}

/** Whether a name matches one of the patterns, in which `*` stands for any text. */
export function matchesAnyPattern(name: string, patterns: readonly string[]): boolean {
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
