import { inEnglish, type Sentence, sentSentence, text } from '#translations/translate.ts'

/**
 * Every error code a client can receive, with its HTTP status. openapi/errors.ts documents each
 * code and the further members of its errors.
 *
 * @source Zulip API, "Error handling"
 */
export const errorStatus = {
  ADMIN_ACTION_REQUIRED: 403,
  ANOMALOUS_WEBHOOK_PAYLOAD: 400,
  AUTHENTICATION_FAILED: 401,
  BAD_EVENT_QUEUE_ID: 400,
  BAD_IMAGE: 400,
  BAD_NARROW: 400,
  BAD_REQUEST: 400,
  CANNOT_DEACTIVATE_GROUP_IN_USE: 400,
  CANNOT_DEACTIVATE_LAST_USER: 400,
  CHANNEL_ALREADY_EXISTS: 409,
  CSRF_FAILED: 403,
  EXPECTATION_MISMATCH: 400,
  INTERNAL_SERVER_ERROR: 500,
  INVALID_API_KEY: 401,
  INVITATION_FAILED: 400,
  INVALID_PUSH_DEVICE_TOKEN: 400,
  INVALID_REMOTE_PUSH_DEVICE_TOKEN: 400,
  INVALID_ZOOM_TOKEN: 400,
  METHOD_NOT_ALLOWED: 405,
  MISSING_HTTP_EVENT_HEADER: 400,
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: 400,
  NOT_FOUND: 404,
  NO_ACTIVE_PUSH_DEVICE: 400,
  NOT_SET_UP: 400,
  PASSWORD_AUTH_DISABLED: 401,
  PUSH_SERVICE_NOT_CONFIGURED: 400,
  RATE_LIMIT_HIT: 429,
  REACTION_ALREADY_EXISTS: 400,
  REACTION_DOES_NOT_EXIST: 400,
  REALM_DEACTIVATED: 401,
  REQUEST_HEADERS_TOO_LARGE: 431,
  REQUEST_TIMEOUT: 408,
  REQUEST_TOO_LARGE: 413,
  REQUEST_VARIABLE_MISSING: 400,
  STORAGE_FULL: 507,
  STREAM_DOES_NOT_EXIST: 400,
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: 400,
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: 400,
  UNAUTHORIZED: 401,
  UNAUTHORIZED_PRINCIPAL: 400,
  UNKNOWN_ZOOM_USER: 400,
  /** A success status, so that the sending service does not report a failure. */
  UNSUPPORTED_WEBHOOK_EVENT_TYPE: 200,
  USER_DEACTIVATED: 401,
} as const

export type ErrorCode = keyof typeof errorStatus

/** What a refusal is about, for clients that show it in a form. */
interface About {
  /** The wire name of the parameter whose value is refused. */
  readonly parameter?: string | undefined
  /** Whether that names what does not exist, or what is hidden from the caller. */
  readonly isUnknown?: boolean
}

/** An error of the client, with a message for its user. Any other exception is a bug of ours. */
export class ApiError extends Error {
  readonly code: ErrorCode
  /** The message, for pages, which show it in the language of their reader. */
  readonly sentence: Sentence
  /** Whether the catalogues know the sentence, so that clients can translate it. */
  readonly isKnown: boolean
  /** Further members of the error reply, such as `stream` or `queue_id`. */
  readonly extra: Readonly<Record<string, unknown>>
  readonly about: About

  constructor(
    code: ErrorCode,
    message: string | Sentence,
    extra: Readonly<Record<string, unknown>> = {},
    about: About = {},
  ) {
    const isKnown = typeof message !== 'string'
    const said = isKnown ? message : { english: text(message) }
    super(inEnglish(said))
    this.code = code
    this.sentence = said
    this.isKnown = isKnown
    this.extra = extra
    this.about = about
  }

  get status(): (typeof errorStatus)[ErrorCode] {
    return errorStatus[this.code]
  }
}

/** The error for most invalid input: code `BAD_REQUEST`. */
export function badRequest(message: string | Sentence, about?: About): ApiError {
  return new ApiError('BAD_REQUEST', message, {}, about)
}

/** The error for a missing required parameter. */
export function missingArgument(name: string): ApiError {
  const said = sentSentence("Missing '{name}' argument", { name })
  return new ApiError('REQUEST_VARIABLE_MISSING', said, { var_name: name }, { parameter: name })
}

/**
 * Runs the checks of a parameter's value, for rules that several parameters share: what they refuse
 * is about this one.
 *
 * @param parameter its wire name
 */
export function checking<T>(parameter: string, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, isKnown, sentence, message, extra, about } = error
    throw new ApiError(code, isKnown ? sentence : message, extra, { ...about, parameter })
  }
}

/** The error for a request without the credentials it needs. */
export function notLoggedIn(): ApiError {
  return new ApiError(
    'UNAUTHORIZED',
    sentSentence('Not logged in: API authentication or user session required'),
  )
}
