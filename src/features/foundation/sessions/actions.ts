import type { User } from '#features/foundation/users/queries.ts'
import { ApiError } from '#platform/errors.ts'
import type { Queues } from '#platform/events/queues.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { loggedOutElsewhere } from './occasions.ts'
import { deleteSessionById, listSessions } from './queries.ts'

type ClosingQueues = Pick<Queues, 'closeAllOf'>

/**
 * Ends a session of the user, with the event queues that it opened and their parked polls.
 *
 * @throws NOT_FOUND no such session, or someone else's
 */
export function endOwnSession(tx: Tx, queues: ClosingQueues, user: User, id: string): void {
  if (!deleteSessionById(tx, user.id, id))
    throw new ApiError(
      'NOT_FOUND',
      sentSentence('No such session.'),
      {},
      { parameter: 'session_id' },
    )
  queues.closeAllOf(tx, user.id, 'session', id)
}

/**
 * Ends all sessions of the user but one, and lets other features end what else has access. Returns
 * how many sessions ended.
 */
export function endOtherSessions(
  tx: Tx,
  queues: ClosingQueues,
  user: User,
  keptId: string | undefined,
): number {
  const others = listSessions(tx, user.id, tx.clock).filter(({ tokenHash }) => tokenHash !== keptId)
  for (const { tokenHash } of others) endOwnSession(tx, queues, user, tokenHash)
  tx.announce(loggedOutElsewhere, user)
  return others.length
}
