import { endpointPath } from '#features/integrations/assistants/assistant.ts'
import type { Client, Connection } from './queries.ts'

export const paths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const

/** What an assistant may do. */
export const scopes = ['read', 'write'] as const

/** The URL of the endpoint that tokens are for. @param origin of this server */
export const resourceAt = (origin: string) => origin + endpointPath

/** @source RFC 9728, section 2 */
export function resourceMetadata(origin: string, name: string) {
  return {
    resource: resourceAt(origin),
    authorization_servers: [origin],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_name: name,
  }
}

/** @source RFC 8414, section 2; RFC 9207, section 3 */
export function serverMetadata(origin: string) {
  return {
    issuer: origin,
    authorization_endpoint: origin + paths.authorize,
    token_endpoint: origin + paths.token,
    registration_endpoint: origin + paths.register,
    revocation_endpoint: origin + paths.revoke,
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }
}

/** What a registered client is, whatever it asked for. @source RFC 7591, section 3.2.1 */
export function registrationJson({ id, name, redirectUris, createdAt }: Client) {
  return {
    client_id: id,
    client_id_issued_at: createdAt,
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: scopes.join(' '),
  }
}

/** @source RFC 6749, section 5.1 */
export function tokensJson({ access, refresh, seconds, mayWrite }: NewTokens) {
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: seconds,
    refresh_token: refresh,
    scope: mayWrite ? 'read write' : 'read',
  }
}

export function connectionJson({ id, name, mayWrite, createdAt, lastUsedAt }: Connection) {
  return { id, name, may_write: mayWrite, created: createdAt, last_used: lastUsedAt }
}

/** The tokens of a connection, as its client gets them. */
export interface NewTokens {
  readonly access: string
  readonly refresh: string
  /** How long the access token is valid. */
  readonly seconds: number
  readonly mayWrite: boolean
}
