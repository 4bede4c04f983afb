/** The errors of the protocol. @source RFC 6749, sections 4.1.2.1 and 5.2; RFC 7591; RFC 8707 */
type OAuthCode =
  | 'access_denied'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'slow_down'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'

/** An error in the words of OAuth. */
export class OAuthError extends Error {
  readonly code: OAuthCode
  readonly status: number

  /** @param message for the developers of the client, in English */
  constructor(code: OAuthCode, message: string, status = 400) {
    super(message)
    this.code = code
    this.status = status
  }
}
