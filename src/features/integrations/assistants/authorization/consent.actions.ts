import { randomBytes } from 'node:crypto'
import type { User } from '#features/foundation/users/queries.ts'
import { seconds } from '#platform/clock.ts'
import { secretHash } from '#platform/secret-hash.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { scopes } from './metadata.json.ts'
import { OAuthError } from './oauth-error.ts'
import { type Client, findClient, insertCode } from './queries.ts'
import { isRegistered } from './redirects.ts'
import { requireConnectionRoom } from './rules.ts'
import type { Asked } from './tokens.actions.ts'

/** In UTF-16 code units. */
const longestState = 1000

/** Where the answer to a request goes. */
export interface Requester {
  readonly client: Client
  readonly redirectUri: string
  readonly state: string | undefined
}

/** What a program asks a person for. */
export interface Request extends Requester {
  /** Whether it wants to write as well. */
  readonly wantsWrite: boolean
  readonly challenge: string
  readonly resource: string
}

/**
 * Finds out who asks. Without that there is no address to which an error could go.
 *
 * @throws OAuthError the client or its address is not registered
 * @source OAuth 2.1, section 4.1.1
 */
export function requireRequester(read: Read, asked: Asked): Requester {
  const client = findClient(read, asked('client_id') ?? '')
  if (!client) throw new OAuthError('invalid_client', 'The client is not registered.')
  const [only, ...others] = client.redirectUris
  const redirectUri = asked('redirect_uri') ?? (others.length === 0 ? only : undefined) ?? ''
  if (!isRegistered(client.redirectUris, redirectUri)) {
    throw new OAuthError('invalid_redirect_uri', 'The redirect_uri is not registered.')
  }
  return { client, redirectUri, state: asked('state')?.slice(0, longestState) }
}

/**
 * What a program asks for.
 *
 * @param resource the only one that there are tokens for
 * @throws OAuthError
 * @source OAuth 2.1, section 4.1.1; RFC 7636, section 4.3; RFC 8707, section 2.1
 */
export function requireRequest(requester: Requester, asked: Asked, resource: string): Request {
  if ((asked('state')?.length ?? 0) > longestState) {
    throw new OAuthError('invalid_request', `state has more than ${longestState} characters.`)
  }
  if (asked('response_type') !== 'code') {
    throw new OAuthError('unsupported_response_type', 'The only response_type is code.')
  }
  const challenge = asked('code_challenge') ?? ''
  if (asked('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge)) {
    throw new OAuthError('invalid_request', 'PKCE with the method S256 is required.')
  }
  if ((asked('resource') ?? resource).replace(/\/$/, '') !== resource) {
    throw new OAuthError('invalid_target', `The only resource is ${resource}.`)
  }
  const wanted = asked('scope')?.split(' ').filter(Boolean) ?? scopes
  const known = scopes.filter((scope) => wanted.includes(scope))
  if (known.length === 0) {
    throw new OAuthError('invalid_scope', `The scopes are ${scopes.join(' and ')}.`)
  }
  return { ...requester, wantsWrite: known.includes('write'), challenge, resource }
}

/**
 * Lets a program act for a person. The caller checks that they may connect assistants.
 *
 * @returns a code that the program exchanges for tokens; only its hash is stored
 * @throws BAD_REQUEST the account has too many connections
 */
export function allow(
  tx: Tx,
  user: User,
  { client, redirectUri, challenge, resource, wantsWrite }: Request,
  mayWrite: boolean,
): string {
  requireConnectionRoom(tx, user, client.id)
  const code = randomBytes(32).toString('base64url')
  insertCode(tx, {
    codeHash: secretHash(code),
    clientId: client.id,
    userId: user.id,
    redirectUri,
    challenge,
    resource,
    mayWrite: mayWrite && wantsWrite,
    createdAt: seconds(tx.clock),
  })
  return code
}
