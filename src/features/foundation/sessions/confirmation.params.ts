import { ownPassword, requireOwnPassword } from '#features/foundation/users/own-password.params.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { seconds } from '#platform/clock.ts'
import { badRequest, missingArgument } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { RequestFacts } from '#platform/http/facts.ts'
import { described, optional } from '#platform/http/params.ts'
import * as shape from '#platform/shape.ts'
import { sentSentence } from '#translations/translate.ts'
import { listSessions } from './queries.ts'

/** How long after a log-in an account without a password needs no new one, in minutes. */
const freshMinutes = 10

/** Confirms that the account's owner acts, not someone who found a key or an open browser. */
export const confirmation = described(
  optional(ownPassword),
  `The caller's password. Accounts without one leave it out; they must have logged in at most ${freshMinutes} minutes ago.`,
)

/** Says in the description of an endpoint what `requireConfirmation` needs. */
export const needsConfirmation = "Needs a person's session; an API key is not enough."

/** The proof that an account has to give: see `confirmation`. */
export const confirmationShape = shape.noted(
  shape.choice('password', 'login'),
  `How the caller confirms their identity: with the password or, without one, by a log-in at most ${freshMinutes} minutes ago.`,
)

export const confirmationOf = ({ passwordHash }: User): 'password' | 'login' =>
  passwordHash === null ? 'login' : 'password'

/**
 * Requires a person in a browser who has shown their password, or has just logged in if the account
 * has none. Slow: call it before the write, and `requireUnchanged` in it.
 *
 * @returns the hash that matched
 * @throws BAD_REQUEST a bot, or no session; a wrong password; a log-in too long ago
 * @throws REQUEST_VARIABLE_MISSING; RATE_LIMIT_HIT too many passwords of the account were wrong
 */
export async function requireConfirmation(
  caller: Caller,
  password: string | undefined,
  request: Pick<RequestFacts, 'server' | 'charge' | 'guess'>,
): Promise<Pick<User, 'passwordHash'>> {
  const { sessionId, store, user } = caller
  if (sessionId === undefined || user.botType !== null) {
    throw badRequest(
      sentSentence(
        'Only a person who is logged in with a browser can do this; an API key is not enough.',
      ),
    )
  }
  if (confirmationOf(user) === 'password') {
    if (password === undefined) throw missingArgument('password')
    return await requireOwnPassword(caller, password, request)
  }
  const since = seconds(store.clock) - freshMinutes * 60
  const current = listSessions(store, user.id, store.clock).find(
    ({ tokenHash }) => tokenHash === sessionId,
  )
  if (current && current.createdAt >= since) return { passwordHash: null }
  throw badRequest(
    sentSentence('Log in again, then repeat this within {count} minutes.', { count: freshMinutes }),
  )
}
