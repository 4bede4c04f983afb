import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { RequestFacts } from '#platform/http/facts.ts'
import { text } from '#platform/http/params.ts'
import { passwordTokens } from '#platform/http/rate-limit.ts'
import { sentSentence } from '#translations/translate.ts'
import { hashCost, verifyPassword } from './passwords.ts'
import type { User } from './queries.ts'

/** The caller's password, which confirms that it is them. */
export const ownPassword = text(1000)

/**
 * Compares a password with the caller's. Slow: call it before the write, and `requireUnchanged` in
 * it.
 *
 * @returns the hash that matched
 * @throws BAD_REQUEST a wrong password; RATE_LIMIT_HIT too many passwords of the account were wrong
 */
export async function requireOwnPassword(
  { user: { id, passwordHash } }: Pick<Caller, 'user'>,
  password: string,
  { server, charge, guess }: Pick<RequestFacts, 'server' | 'charge' | 'guess'>,
  parameter = 'password',
): Promise<Pick<User, 'passwordHash'>> {
  const counted = guess(id)
  charge(passwordTokens)
  const isRight = await verifyPassword(password, passwordHash, hashCost(server.config))
  if (!isRight) throw wrongPassword(parameter)
  counted.right()
  return { passwordHash }
}

/** @throws BAD_REQUEST the password has changed since it was compared */
export function requireUnchanged(user: User, passwordHash: string | null): void {
  if (user.passwordHash !== passwordHash) throw wrongPassword('password')
}

const wrongPassword = (parameter: string) =>
  badRequest(sentSentence('Wrong password!'), { parameter })
