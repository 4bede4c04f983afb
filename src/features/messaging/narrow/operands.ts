import { canAccessMetadata } from '#features/foundation/channels/access.ts'
import {
  type Channel,
  findChannel,
  findChannelByName,
} from '#features/foundation/channels/queries.ts'
import { accessUser, accessUserByAddress } from '#features/foundation/users/access.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { ApiError } from '#platform/errors.ts'
import type { Operand } from '#platform/events/types.ts'
import { sentSentence } from '#translations/translate.ts'
import { badNarrow } from './errors.ts'
import type { Reader } from './visible.queries.ts'

/** A message id: an integer, or digits. @throws BAD_NARROW */
export function messageId(operator: string, operand: Operand): number {
  const id = typeof operand === 'object' ? undefined : asId(operand)
  if (id === undefined)
    throw badNarrow(
      sentSentence('Invalid narrow operator: {operator} needs a message ID', { operator }),
    )
  return id
}

/** A string, or a number in its decimal form. @throws BAD_NARROW the operand is a list */
export function word(operator: string, operand: Operand): string {
  if (typeof operand === 'object')
    throw badNarrow(
      sentSentence('Invalid narrow operator: {operator} takes one operand, not a list', {
        operator,
      }),
    )
  return String(operand)
}

/** A channel as a filter names it: by name or id; a string of digits may be either. */
export interface NamedChannel {
  readonly name: string | undefined
  readonly id: number | undefined
}

/** @throws BAD_NARROW the operand is neither a name nor an id */
export function namedChannel(operand: Operand): NamedChannel {
  if (typeof operand === 'object')
    throw badNarrow(sentSentence('Invalid narrow operator: unknown channel'), true)
  return {
    name: typeof operand === 'string' ? operand : undefined,
    id: asId(operand),
  }
}

/**
 * The channel of that name, or else of that id, that the reader can access.
 *
 * @throws BAD_NARROW no such channel; the same error when the reader cannot access it
 */
export function accessNamedChannel({ read, user }: Reader, { name, id }: NamedChannel): Channel {
  const byName = name === undefined ? undefined : findChannelByName(read, name)
  if (byName && canAccessMetadata(read, user, byName)) return byName
  const byId = id === undefined ? undefined : findChannel(read, id)
  if (byId && canAccessMetadata(read, user, byId)) return byId
  throw badNarrow(sentSentence('Invalid narrow operator: unknown channel'), true)
}

/**
 * The users that a filter names: an id or a list of ids and email addresses, or addresses separated
 * by commas.
 *
 * @throws BAD_NARROW it names no users
 */
export function namedPeople(operand: Operand): readonly (number | string)[] {
  const names = typeof operand === 'string' ? operand.split(',') : [operand].flat()
  if (names.length === 0) throw unknownUser()
  return names.map((name) => (typeof name === 'string' ? name.trim() : name))
}

/** The named users; undefined unless the reader can access all of them. */
export function findNamedPeople(
  reader: Reader,
  names: readonly (number | string)[],
): User[] | undefined {
  const people: User[] = []
  for (const name of names) {
    const user = findNamedUser(reader, name)
    if (!user) return undefined
    people.push(user)
  }
  return people
}

/** The error for a filter that names a user who does not exist for the reader. */
export function unknownUser(): ApiError {
  return badNarrow(sentSentence('Invalid narrow operator: unknown user'), true)
}

function findNamedUser({ read, user }: Reader, name: number | string): User | undefined {
  try {
    const id = asId(name)
    return id === undefined
      ? accessUserByAddress(read, user, String(name))
      : accessUser(read, user, id)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

function asId(operand: number | string): number | undefined {
  if (typeof operand === 'number') return operand
  return /^\d{1,15}$/.test(operand) ? Number(operand) : undefined
}
