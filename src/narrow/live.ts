import type { QueueRequest } from '#events/queues.ts'
import type { Read } from '#store/write.ts'
import { findUser } from '#users/queries.ts'
import { badNarrow } from './errors.ts'
import { meaningOf } from './operators.ts'
import type { NarrowSubject } from './types.ts'
import { isWith } from './with.ts'

/**
 * The filter that an event queue's narrow puts on its message events. Channels and people that do
 * not exist, or not for the owner, match nothing; channel names are compared when a message is
 * sent, so that a bot may register before its channel is there.
 *
 * @throws BAD_NARROW for filters that cannot be understood, and for `with`, which follows a
 * conversation through the past
 * @source the API description's `Narrow` parameter of `POST /register`
 */
export function narrowMatcher(
  read: Read,
  request: Pick<QueueRequest, 'userId' | 'narrow'>,
): (message: NarrowSubject) => boolean {
  const user = findUser(read, request.userId)
  if (!user) return () => false
  if (request.narrow.some(isWith)) throw badNarrow('with cannot filter events')
  const filters = request.narrow.map((term) => {
    const meaning = meaningOf({ read, user }, term)
    return (message: NarrowSubject) => meaning.matches(message) !== term.negated
  })
  return (message) => filters.every((matches) => matches(message))
}
