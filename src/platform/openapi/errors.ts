import { type ErrorCode, errorStatus } from '#platform/errors.ts'
import type { Endpoint } from '#platform/http/endpoint.ts'
import type { Members } from '#platform/shape.ts'
import * as shape from '#platform/shape.ts'

/** The meaning of each error code, and the further members that its errors can have. */
export const errorMeanings: Readonly<
  Record<ErrorCode, { readonly meaning: string; readonly members?: Members }>
> = {
  ADMIN_ACTION_REQUIRED: {
    meaning: 'The server is not configured for this. Its administrators can change that.',
  },
  ANOMALOUS_WEBHOOK_PAYLOAD: {
    meaning: 'The service of this integration never sends payloads like this.',
  },
  AUTHENTICATION_FAILED: { meaning: 'The name or the password is wrong.' },
  BAD_EVENT_QUEUE_ID: {
    meaning: 'The event queue has expired or belongs to another user. Register a new one.',
    members: { queue_id: shape.string },
  },
  BAD_IMAGE: { meaning: 'The file is not an image that the server can read.' },
  BAD_NARROW: {
    meaning:
      'The narrow has an unknown operator or operand, or two terms that contradict each other.',
    members: { desc: shape.noted(shape.string, 'The reason alone, without the rest of `msg`.') },
  },
  BAD_REQUEST: {
    meaning: 'The request is invalid in some other way; `msg` says how.',
  },
  CANNOT_DEACTIVATE_GROUP_IN_USE: {
    meaning: 'The group still has a permission, or is a subgroup of another group.',
  },
  CANNOT_DEACTIVATE_LAST_USER: {
    meaning: 'The last owner, or the last user, cannot be deactivated.',
    members: { is_last_owner: shape.boolean, entity: shape.string },
  },
  CHANNEL_ALREADY_EXISTS: { meaning: 'A channel with this name already exists.' },
  CSRF_FAILED: { meaning: 'The request has a session cookie, but no valid CSRF token for it.' },
  EXPECTATION_MISMATCH: {
    meaning: 'The current value differs from `old`: it has been changed since.',
  },
  INTERNAL_SERVER_ERROR: { meaning: 'An error in the server. The server has logged it.' },
  INVALID_API_KEY: { meaning: 'The API key does not belong to this user.' },
  INVITATION_FAILED: {
    meaning: 'Some of the addresses could not be invited.',
    members: {
      errors: shape.noted(
        shape.list(shape.tuple(shape.string, shape.string, shape.boolean)),
        'For each of these addresses: the address, the reason, and whether a deactivated account has it.',
      ),
      sent_invitations: shape.noted(shape.boolean, 'Whether the other addresses were invited.'),
      license_limit_reached: shape.boolean,
      daily_limit_reached: shape.boolean,
    },
  },
  INVALID_PUSH_DEVICE_TOKEN: { meaning: 'No phone of yours is registered with this token.' },
  INVALID_REMOTE_PUSH_DEVICE_TOKEN: {
    meaning: 'No phone is registered with the push service under this token.',
  },
  INVALID_ZOOM_TOKEN: {
    meaning:
      'The account is not connected with Zoom, or no longer: `/calls/zoom/register` connects it.',
  },
  MISSING_HTTP_EVENT_HEADER: {
    meaning: 'The request lacks the header in which the service names the event.',
    members: { header: shape.noted(shape.string, 'The name of the header.') },
  },
  METHOD_NOT_ALLOWED: { meaning: 'The endpoint does not support this method.' },
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: {
    meaning: 'Some of the messages are too old to move.',
    members: {
      first_message_id_allowed_to_move: shape.integer,
      total_messages_in_topic: shape.integer,
      total_messages_allowed_to_move: shape.integer,
    },
  },
  NOT_FOUND: { meaning: 'The object, or the path, does not exist.' },
  NO_ACTIVE_PUSH_DEVICE: {
    meaning:
      'The phone is not registered with the push service; without a phone in the request: none of yours is.',
  },
  NOT_SET_UP: { meaning: 'The server is not set up yet: it has no organization.' },
  PASSWORD_AUTH_DISABLED: {
    meaning: 'The organization has switched passwords off: log in with another account.',
  },
  PUSH_SERVICE_NOT_CONFIGURED: { meaning: 'The server has no push notification service.' },
  RATE_LIMIT_HIT: {
    meaning: 'Too many calls, calls that cost too much, or too many wrong keys and passwords.',
    members: {
      'retry-after': shape.noted(
        shape.number,
        'Seconds to wait before the next call, as in the `Retry-After` header.',
      ),
    },
  },
  REACTION_ALREADY_EXISTS: { meaning: 'You have already added this reaction.' },
  REACTION_DOES_NOT_EXIST: { meaning: 'You have not added this reaction.' },
  REALM_DEACTIVATED: { meaning: 'The organization is deactivated.' },
  REQUEST_HEADERS_TOO_LARGE: {
    meaning: 'The headers of the request, its address included, are longer than 16 KiB.',
  },
  REQUEST_TIMEOUT: { meaning: 'The request arrived too slowly, or stopped arriving.' },
  REQUEST_TOO_LARGE: { meaning: 'The body is larger than this endpoint accepts.' },
  REQUEST_VARIABLE_MISSING: {
    meaning: 'A required parameter is missing.',
    members: { var_name: shape.noted(shape.string, 'The name of the parameter.') },
  },
  STORAGE_FULL: {
    meaning: 'The disk of the server is full, so nothing was changed. Reading goes on.',
  },
  STREAM_DOES_NOT_EXIST: {
    meaning: 'The channel does not exist, or you cannot access it.',
    members: {
      stream: shape.noted(shape.string, 'The requested name.'),
      stream_id: shape.noted(shape.integer, 'The requested ID.'),
    },
  },
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: {
    meaning: 'You may not mention everyone in a channel with this many subscribers.',
  },
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: {
    meaning: 'You may not mention everyone in a topic with this many participants.',
  },
  UNAUTHORIZED: { meaning: 'Credentials are missing or malformed.' },
  UNAUTHORIZED_PRINCIPAL: { meaning: 'Your role does not allow this.' },
  UNKNOWN_ZOOM_USER: {
    meaning: "No one in the operator's Zoom account has the caller's confirmed email address.",
  },
  UNSUPPORTED_WEBHOOK_EVENT_TYPE: {
    meaning:
      'The integration does not post messages about this event. The status is 200, so that the sending service does not report a failure.',
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
  'REQUEST_HEADERS_TOO_LARGE',
  'REQUEST_TOO_LARGE',
  'REQUEST_VARIABLE_MISSING',
  'STORAGE_FULL',
]

/** The codes that endpoints with authentication can return. */
const withCredentials: readonly ErrorCode[] = [
  'INVALID_API_KEY',
  'UNAUTHORIZED',
  'USER_DEACTIVATED',
]

/** The codes that an endpoint can return without declaring them, by HTTP status. */
export function commonErrors(access: Endpoint['access']): Map<number, ErrorCode[]> {
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
