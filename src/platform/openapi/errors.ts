import { type ErrorCode, errorStatus } from '#platform/errors.ts'
import type { Endpoint } from '#platform/http/endpoint.ts'
import type { Members } from '#platform/shape.ts'
import * as shape from '#platform/shape.ts'

/** The meaning of each error code, and the members its errors can have besides the usual ones. */
export const errorMeanings: Readonly<
  Record<ErrorCode, { readonly meaning: string; readonly members?: Members }>
> = {
  ADMIN_ACTION_REQUIRED: {
    meaning: 'The server cannot do it as it is configured: that is for its administrators.',
  },
  AUTHENTICATION_FAILED: { meaning: 'The name or the password is wrong.' },
  BAD_EVENT_QUEUE_ID: {
    meaning: 'The event queue has expired, or is not yours: register a new one.',
    members: { queue_id: shape.string },
  },
  BAD_IMAGE: { meaning: 'The file is no image that can be read.' },
  BAD_NARROW: {
    meaning: 'An operator or operand of the narrow is unknown, or two of them do not go together.',
    members: { desc: shape.noted(shape.string, 'What is wrong, without the words around it.') },
  },
  BAD_REQUEST: {
    meaning: 'Anything else that is wrong with the request; the message says what.',
  },
  CANNOT_DEACTIVATE_GROUP_IN_USE: {
    meaning: 'The group still holds a permission, or is in another group.',
  },
  CANNOT_DEACTIVATE_LAST_USER: {
    meaning: 'Nobody would be left who can do this.',
    members: { is_last_owner: shape.boolean, entity: shape.string },
  },
  CHANNEL_ALREADY_EXISTS: { meaning: 'A channel with this name exists.' },
  CSRF_FAILED: { meaning: 'A request with a session cookie came from elsewhere.' },
  EXPECTATION_MISMATCH: { meaning: 'The value has changed since: it is not what `old` says.' },
  INTERNAL_SERVER_ERROR: { meaning: 'A fault of the server, which has logged it.' },
  INVALID_API_KEY: { meaning: 'The API key is not that of the user.' },
  INVITATION_FAILED: {
    meaning: 'Not all of those named could be invited.',
    members: {
      errors: shape.noted(
        shape.list(shape.tuple(shape.string, shape.string, shape.boolean)),
        'For each of them: the address, why not, and whether that is a deactivated account.',
      ),
      sent_invitations: shape.noted(shape.boolean, 'Whether the others were invited.'),
      license_limit_reached: shape.boolean,
      daily_limit_reached: shape.boolean,
    },
  },
  INVALID_PUSH_DEVICE_TOKEN: { meaning: 'You have not registered such a phone.' },
  INVALID_REMOTE_PUSH_DEVICE_TOKEN: { meaning: 'The push service does not know the phone.' },
  METHOD_NOT_ALLOWED: { meaning: 'The path exists, but not for this method.' },
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: {
    meaning: 'Some of the messages are too old to be moved.',
    members: {
      first_message_id_allowed_to_move: shape.integer,
      total_messages_in_topic: shape.integer,
      total_messages_allowed_to_move: shape.integer,
    },
  },
  NOT_FOUND: { meaning: 'There is no such thing.' },
  NO_ACTIVE_PUSH_DEVICE: {
    meaning: 'None of your phones is registered with the push service, or not that one.',
  },
  NOT_SET_UP: { meaning: 'The server has no organization yet.' },
  PUSH_SERVICE_NOT_CONFIGURED: { meaning: 'The server has no service that notifies phones.' },
  RATE_LIMIT_HIT: {
    meaning: 'Too many calls, calls that cost too much, or too many wrong keys and passwords.',
    members: {
      'retry-after': shape.noted(
        shape.number,
        'Seconds to wait, as the header `Retry-After` says.',
      ),
    },
  },
  REACTION_ALREADY_EXISTS: { meaning: 'You have given this reaction already.' },
  REACTION_DOES_NOT_EXIST: { meaning: 'You have not given this reaction.' },
  REALM_DEACTIVATED: { meaning: 'The organization is deactivated: nobody can use it.' },
  REQUEST_TIMEOUT: { meaning: 'The body of the request came too slowly, or stopped coming.' },
  REQUEST_TOO_LARGE: { meaning: 'The body is larger than this endpoint takes.' },
  REQUEST_VARIABLE_MISSING: {
    meaning: 'A required parameter is missing.',
    members: { var_name: shape.noted(shape.string, 'The name of the parameter.') },
  },
  STREAM_DOES_NOT_EXIST: {
    meaning: 'There is no such channel, or you may not know of it.',
    members: {
      stream: shape.noted(shape.string, 'The name that was asked for.'),
      stream_id: shape.noted(shape.integer, 'The id that was asked for.'),
    },
  },
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: {
    meaning: 'You may not mention everybody in a channel with so many subscribers.',
  },
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: {
    meaning: 'You may not mention everybody in a topic with so many participants.',
  },
  UNAUTHORIZED: { meaning: 'There are no credentials, or they are malformed.' },
  UNAUTHORIZED_PRINCIPAL: { meaning: 'Your role does not allow it.' },
  UNSUPPORTED_WEBHOOK_EVENT_TYPE: {
    meaning: 'Nothing is said here about such an event of another service. The status is 200.',
    members: { webhook_name: shape.string, event_type: shape.string },
  },
  USER_DEACTIVATED: { meaning: 'Your account is deactivated.' },
}

/** The codes that any endpoint can return. */
const everywhere: readonly ErrorCode[] = [
  'BAD_REQUEST',
  'INTERNAL_SERVER_ERROR',
  'NOT_SET_UP',
  'RATE_LIMIT_HIT',
  'REALM_DEACTIVATED',
  'REQUEST_TOO_LARGE',
  'REQUEST_VARIABLE_MISSING',
]

/** The codes that endpoints with authentication can return. */
const withCredentials: readonly ErrorCode[] = [
  'INVALID_API_KEY',
  'UNAUTHORIZED',
  'USER_DEACTIVATED',
]

/** The codes that an endpoint can return without declaring them, by HTTP status. */
export function usualErrors(access: Endpoint['access']): Map<number, ErrorCode[]> {
  return byStatus(access === 'anyone' ? everywhere : [...everywhere, ...withCredentials])
}

export function byStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const grouped = new Map<number, ErrorCode[]>()
  for (const code of codes) {
    const status = errorStatus[code]
    grouped.set(status, [...(grouped.get(status) ?? []), code])
  }
  return grouped
}
