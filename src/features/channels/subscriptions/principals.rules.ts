import { accessUser, accessUserByAddress } from '#features/foundation/users/access.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { badRequest, checking } from '#platform/errors.ts'
import { slices } from '#platform/slices.ts'
import type { Read } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'

/** A user to subscribe or unsubscribe: a user id or an API email address. */
export type Principal = number | string

/**
 * The most users times channels of one request with several channels: each subscription takes about
 * 50 µs.
 */
export const mostPairs = 4000

/** How many of these pairs are made or unmade at a time, and in how many channels. */
const mostAtOnce = { pairs: 100, channels: 20 } as const
/** How many channels at a time if some are new: creating one takes about a millisecond. */
export const mostNewAtOnce = 2

/** Some of the channels and some of the users of a request: all pairs of them. */
export interface Part<C> {
  readonly channels: readonly C[]
  readonly users: readonly User[]
}

/** @param mostChannels in each of them */
export function* partsOf<C>(
  channels: readonly C[],
  users: readonly User[],
  mostChannels: number = mostAtOnce.channels,
): Iterable<Part<C>> {
  for (const some of slices(users, mostAtOnce.pairs)) {
    const fit = Math.floor(mostAtOnce.pairs / some.length)
    const count = Math.max(1, Math.min(fit, mostChannels))
    for (const part of slices(channels, count)) yield { channels: part, users: some }
  }
}

/** @throws BAD_REQUEST too many users in too many channels */
export function requireFewPairs(users: readonly User[], channels: readonly unknown[]): void {
  if (channels.length <= 1 || users.length * channels.length <= mostPairs) return
  throw badRequest(
    sentSentence('Too many pairs of user and channel in one request (limit: {count})', {
      count: mostPairs,
    }),
    { parameter: 'principals' },
  )
}

/**
 * The requested users without duplicates; the caller if none is requested.
 *
 * @throws BAD_REQUEST a user who does not exist, is invisible to the caller, is deactivated, or is
 * a system bot
 * @source Zulip API, "Subscribe to a channel": `principals`
 */
export function accessPrincipals(
  read: Read,
  caller: User,
  principals: readonly Principal[],
): User[] {
  if (principals.length === 0) return [caller]
  const users = new Map<number, User>()
  for (const principal of principals) {
    const user = checking('principals', () =>
      typeof principal === 'number'
        ? accessUser(read, caller, principal)
        : accessUserByAddress(read, caller, principal),
    )
    if (!user.isActive)
      throw badRequest(sentSentence('User is deactivated'), { parameter: 'principals' })
    if (user.isSystemBot)
      throw badRequest(sentSentence('No such user'), { parameter: 'principals' })
    users.set(user.id, user)
  }
  return [...users.values()]
}
