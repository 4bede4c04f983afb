import { ApiError } from '#platform/errors.ts'
import { mendedName } from '#shared/names.ts'
import type { Integration, Note } from './declaration.ts'
import type { Fields } from './fields.ts'
import { cut, withClosedFences } from './format.ts'
import { cleanText } from './text.ts'

/** A request to a webhook URL, once its body is read. */
export interface HookRequest {
  readonly payload: Fields
  /** By lower-case name. */
  header(name: string): string | undefined
  /** The value of a URL option. */
  option(key: string): string | undefined
  /** See `Delivery`. */
  readonly isElsewhere: boolean
}

/**
 * The messages about a delivery; none if it is not worth one.
 *
 * @throws MISSING_HTTP_EVENT_HEADER the service names events in a header, which is missing
 * @throws UNSUPPORTED_WEBHOOK_EVENT_TYPE a success for the service, so that it continues to send
 * @throws ANOMALOUS_WEBHOOK_PAYLOAD this service sends no such body
 * @throws BAD_REQUEST names the member of the payload that is missing, or of a wrong type
 */
export function notesOf(service: Integration, request: HookRequest): readonly Note[] {
  const said = service.render({ ...request, event: eventOf(service, request) })
  if (said === undefined) return []
  if ('unsupported' in said) throw unsupportedError(service, said.unsupported)
  if ('anomalous' in said) {
    throw new ApiError(
      'ANOMALOUS_WEBHOOK_PAYLOAD',
      `${service.displayName} does not send payloads like this: is this the URL of another service?`,
    )
  }
  return 'topic' in said ? [said] : said
}

function eventOf({ eventHeaders }: Integration, { header }: HookRequest): string {
  if (!eventHeaders) return ''
  for (const name of eventHeaders) {
    const event = header(name.toLowerCase())
    if (event) return event.slice(0, 200)
  }
  const [usual] = eventHeaders
  throw new ApiError('MISSING_HTTP_EVENT_HEADER', `Missing the HTTP event header '${usual}'`, {
    header: usual,
  })
}

function unsupportedError({ displayName }: Integration, event: string): ApiError {
  return new ApiError(
    'UNSUPPORTED_WEBHOOK_EVENT_TYPE',
    `The '${event}' event isn't currently supported by the ${displayName} webhook; ignoring`,
    { webhook_name: displayName, event_type: event },
  )
}

/** Zulip's name for the topic of messages without one. */
const noTopic = '(no topic)'

/** Makes a valid topic of any text. @param most in characters */
export function topicText(topic: string, most: number): string {
  const line = mendedName(cleanText(topic), 2 * most)
  return mendedName(cut(line, most, '...'), most) || noTopic
}

/** The end of a message that was too long. */
const cutMark = '\n\n*(The message was too long, and is cut here.)*'
/** Room for the fences that are closed before it. */
const fenceRoom = 200

/**
 * Shortens a message to the limit.
 *
 * @param most in characters
 */
export function contentText(content: string, most: number): string {
  const text = cleanText(content)
  if (text.length <= most) return text
  const short = cut(text, most - cutMark.length - fenceRoom)
  return short === text || [...text].length <= most ? text : withClosedFences(short) + cutMark
}
