import { can } from '#features/foundation/permissions/rules.ts'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import type { Assistant } from '#features/integrations/assistants/assistant.ts'
import { notLoggedIn } from '#platform/errors.ts'
import type { Credential } from '#platform/http/credential.ts'
import { requireRoom } from '#platform/quotas/room.ts'
import type { Read } from '#platform/store/store.ts'
import { OAuthError } from './oauth-error.ts'
import {
  type Connection,
  findConnection,
  findConnectionByAccess,
  listConnections,
} from './queries.ts'
import { connectionQuota } from './quotas.ts'

/** Whether someone may connect assistants. Bots have API keys. */
export function mayConnect(read: Read, user: User): boolean {
  return user.isActive && user.botType === null && can(read, user, 'can_connect_assistants_group')
}

/** @throws OAuthError */
export function requireConnect(read: Read, user: User): void {
  if (mayConnect(read, user)) return
  throw new OAuthError('access_denied', 'The person may not connect assistants.')
}

/**
 * Requires that an account has room for a connection with a client: a new one takes the place of
 * an earlier one.
 *
 * @throws BAD_REQUEST
 */
export function requireConnectionRoom(read: Read, user: Pick<User, 'id'>, clientId: string): void {
  const isKnown = listConnections(read, user.id).some((each) => each.clientId === clientId)
  requireRoom(read, connectionQuota, user, isKnown ? 0 : 1)
}

/** The assistant of an access token, and what tells whether it still may act. */
export interface Authorized {
  readonly assistant: Assistant
  readonly credential: Credential
  readonly connection: Connection
}

/**
 * The assistant whose access token this is, and the credential with which its writes check again
 * that the connection still exists and that the person still may connect assistants.
 *
 * @param resource the URL of the endpoint that was asked
 * @returns undefined: the token is unknown or has expired, or is for another resource
 */
export function assistantOfToken(
  read: Read,
  token: string,
  resource: string,
): Authorized | undefined {
  const connection = findConnectionByAccess(read, token)
  if (!connection || connection.resource !== resource) return undefined
  const { id, userId, name, mayWrite } = connection
  const credential: Credential = {
    kind: 'key',
    findUser(now) {
      const user = findConnection(now, id) && findUser(now, userId)
      return user && mayConnect(now, user) ? user : undefined
    },
    refusal: notLoggedIn,
  }
  if (!credential.findUser(read)) return undefined
  return { assistant: { userId, name, mayWrite, connectionId: id }, credential, connection }
}
