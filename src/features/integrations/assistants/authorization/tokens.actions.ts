import { createHash, randomBytes } from 'node:crypto'
import { queueCredentialMail } from '#features/foundation/mail/credential-changes.actions.ts'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import { seconds } from '#platform/clock.ts'
import { constantTimeEqual } from '#platform/constant-time.ts'
import { secretHash } from '#platform/secret-hash.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import type { NewTokens } from './metadata.json.ts'
import { OAuthError } from './oauth-error.ts'
import {
  type Code,
  deleteConnection,
  findClient,
  findCode,
  findConnection,
  findConnectionByAccess,
  findConnectionByFamily,
  insertConnection,
  updateCode,
  updateConnection,
} from './queries.ts'
import { mayConnect, requireConnectionRoom } from './rules.ts'

/** How long a code can be exchanged, in seconds. */
const codeSeconds = 60

/** How long an access token is valid, in seconds. */
const accessSeconds = 3600

/** How long a connection lasts without being used, in seconds. */
const connectionSeconds = 30 * 24 * 3600

/** A parameter of a request, by its name. */
export type Asked = (name: string) => string | undefined

/** A refusal is returned if the write that found the reason has ended a connection. */
export type Granted = NewTokens | OAuthError

const badGrant = (why: string) => new OAuthError('invalid_grant', why)

/** @throws OAuthError */
function required(asked: Asked, name: string): string {
  const value = asked(name)
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing.`)
  return value
}

/**
 * Exchanges a code for the tokens of a new connection. If a code comes twice, one of both has stolen
 * it: the connection that it gave ends. A mail tells the person of a new connection.
 *
 * @throws OAuthError; BAD_REQUEST the account has too many connections
 * @source OAuth 2.1, sections 4.1.3 and 7.5.3; RFC 7636, section 4.6; RFC 8707, section 2.2
 */
export function exchangeCode(tx: Tx, asked: Asked): Granted {
  const code = findCode(tx, required(asked, 'code'))
  if (!code) throw badGrant('The code is unknown.')
  if (code.connectionId !== null) {
    const given = findConnection(tx, code.connectionId)
    if (given) deleteConnection(tx, given)
    return badGrant('The code was used before.')
  }
  requireSameRequest(code, asked)
  requireSameResource(code, asked)
  const now = seconds(tx.clock)
  if (code.createdAt + codeSeconds <= now) throw badGrant('The code has expired.')
  const { id: clientId, name } = requireClient(tx, asked)
  const { userId, resource, mayWrite } = code
  const user = requireRight(tx, userId)
  requireConnectionRoom(tx, user, clientId)
  const family = randomBytes(16).toString('base64url')
  const { tokens, stored } = issue(now, family, mayWrite)
  const owned = { userId, clientId, name, resource, mayWrite, createdAt: now }
  const { id } = insertConnection(tx, { ...owned, familyHash: secretHash(family), ...stored })
  updateCode(tx, code, id)
  queueCredentialMail(tx, user, 'assistant')
  return tokens
}

/** @throws OAuthError the code was given to another client, or for another request */
function requireSameRequest(code: Code, asked: Asked): void {
  const verifier = required(asked, 'code_verifier')
  const digest = createHash('sha256').update(verifier).digest('base64url')
  const isSame =
    required(asked, 'client_id') === code.clientId &&
    (asked('redirect_uri') ?? code.redirectUri) === code.redirectUri &&
    /^[\w.~-]{43,128}$/.test(verifier) &&
    constantTimeEqual(digest, code.challenge)
  if (!isSame) throw badGrant('The client_id, redirect_uri or code_verifier is another one.')
}

/** @throws OAuthError @source RFC 8707, section 2.2 */
function requireSameResource({ resource }: Pick<Code, 'resource'>, asked: Asked): void {
  const wanted = asked('resource')
  if (wanted === undefined || wanted.replace(/\/$/, '') === resource) return
  throw new OAuthError('invalid_target', `The only resource is ${resource}.`)
}

function requireClient(read: Read, asked: Asked) {
  const client = findClient(read, required(asked, 'client_id'))
  if (!client) throw new OAuthError('invalid_client', 'The client is not registered.', 401)
  return client
}

/** @throws OAuthError the account is deactivated, or may not connect assistants */
function requireRight(read: Read, userId: number): User {
  const user = findUser(read, userId)
  if (!user || !mayConnect(read, user)) throw badGrant('The person may not connect assistants.')
  return user
}

/**
 * Exchanges a refresh token for new tokens. An old one was stolen, or the new one was: the
 * connection ends.
 *
 * @throws OAuthError
 * @source OAuth 2.1, sections 4.3 and 4.3.1; RFC 6749, section 6
 */
export function refreshTokens(tx: Tx, asked: Asked): Granted {
  const token = required(asked, 'refresh_token')
  const client = requireClient(tx, asked)
  const connection = connectionOfRefresh(tx, token)
  const now = seconds(tx.clock)
  if (!connection || connection.clientId !== client.id || connection.expiresAt <= now) {
    throw badGrant('The refresh token is unknown or has expired.')
  }
  if (!constantTimeEqual(connection.refreshHash, secretHash(token))) {
    deleteConnection(tx, connection)
    return badGrant('The refresh token was used before.')
  }
  requireSameResource(connection, asked)
  requireRight(tx, connection.userId)
  const { tokens, stored } = issue(now, familyOf(token), connection.mayWrite)
  updateConnection(tx, connection.id, stored)
  return tokens
}

/**
 * Ends the connection of a token. There is nothing wrong with one that is unknown.
 *
 * @throws OAuthError
 * @source RFC 7009, sections 2.1 and 2.2
 */
export function revokeToken(tx: Tx, asked: Asked): void {
  const token = required(asked, 'token')
  const connection = findConnectionByAccess(tx, token) ?? connectionOfRefresh(tx, token)
  if (!connection || (asked('client_id') ?? connection.clientId) !== connection.clientId) return
  deleteConnection(tx, connection)
}

const connectionOfRefresh = (read: Read, token: string) =>
  findConnectionByFamily(read, familyOf(token))

/** The part that all refresh tokens of a connection have in common, a secret as well. */
const familyOf = (refresh: string) => refresh.split('.', 1)[0] ?? ''

/** What no API key begins with. */
const accessMark = 'pa_'

/** Whether a text has the form of an access token. */
export const isAccessToken = (text: string) => text.startsWith(accessMark)

/** New tokens, and the columns of the connection that has them. */
function issue(now: number, family: string, mayWrite: boolean) {
  const access = accessMark + randomBytes(32).toString('base64url')
  const refresh = `${family}.${randomBytes(32).toString('base64url')}`
  const tokens: NewTokens = { access, refresh, seconds: accessSeconds, mayWrite }
  const stored = {
    accessHash: secretHash(access),
    accessExpiresAt: now + accessSeconds,
    refreshHash: secretHash(refresh),
    expiresAt: now + connectionSeconds,
  }
  return { tokens, stored }
}
