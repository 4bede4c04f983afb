import { notLoggedIn } from '#platform/errors.ts'
import type { Term } from '#platform/events/types.ts'
import { currentName } from './operators.ts'

/**
 * Requires that a spectator's narrow says `channels:web-public`: a client that lost its credentials
 * must get an error, not a part of the messages.
 *
 * @throws UNAUTHORIZED
 */
export function requireWebPublic(narrow: readonly Term[]): void {
  const isWebPublic = narrow.some(
    ({ operator, operand, negated }) =>
      !negated && currentName(operator) === 'channels' && operand === 'web-public',
  )
  if (!isWebPublic) throw notLoggedIn()
}
