import type { User } from '#features/foundation/users/queries.ts'
import { ApiError } from '#platform/errors.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { deleteConnection, listConnections } from './queries.ts'

/**
 * Ends a connection of the user, with its tokens.
 *
 * @throws NOT_FOUND no such connection, or someone else's
 */
export function endOwnConnection(tx: Tx, { id: userId }: Pick<User, 'id'>, id: number): void {
  const connection = listConnections(tx, userId).find((each) => each.id === id)
  if (!connection) {
    const parameter = { parameter: 'assistant_id' }
    throw new ApiError('NOT_FOUND', sentSentence('No such assistant.'), {}, parameter)
  }
  deleteConnection(tx, connection)
}
