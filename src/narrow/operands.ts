import { canAccessMetadata } from '#channels/access.ts'
import { channelKey } from '#channels/names.ts'
import { type Channel, findChannel, findChannelByName } from '#channels/queries.ts'
import { ApiError } from '#errors.ts'
import { accessUser, accessUserByAddress } from '#users/access.ts'
import type { User } from '#users/queries.ts'
import { badNarrow } from './errors.ts'
import type { Reader } from './meaning.ts'
import type { Operand } from './types.ts'

/** A message id: an integer, or digits. @throws BAD_NARROW */
export function messageId(operator: string, operand: Operand): number {
  const id = typeof operand === 'object' ? undefined : asId(operand)
  if (id === undefined) throw badNarrow(`${operator} needs a message ID`)
  return id
}

/** One word, or a number as it is written. @throws BAD_NARROW */
export function word(operator: string, operand: Operand): string {
  if (typeof operand === 'object') throw badNarrow(`${operator} takes one operand, not a list`)
  return String(operand)
}

/** How a filter names a channel: names in pairs may be ids too. */
export interface NamedChannel {
  readonly key: string | undefined
  readonly id: number | undefined
}

/** @throws BAD_NARROW when it can be neither a name nor an id */
export function namedChannel(operand: Operand): NamedChannel {
  if (typeof operand === 'object') throw badNarrow('unknown channel')
  return {
    key: typeof operand === 'string' ? channelKey(operand) : undefined,
    id: asId(operand),
  }
}

/**
 * The channel of that name, or else of that id, that the reader may know of.
 *
 * @throws BAD_NARROW the same whether there is none or the reader may not know it
 */
export function accessNamedChannel({ read, user }: Reader, { key, id }: NamedChannel): Channel {
  const byName = key === undefined ? undefined : findChannelByName(read, key)
  if (byName && canAccessMetadata(read, user, byName)) return byName
  const byId = id === undefined ? undefined : findChannel(read, id)
  if (byId && canAccessMetadata(read, user, byId)) return byId
  throw badNarrow('unknown channel')
}

/**
 * How a filter names people: one or a list of ids and addresses, or addresses with commas between.
 *
 * @throws BAD_NARROW when it names nobody
 */
export function namedPeople(operand: Operand): readonly (number | string)[] {
  const names = typeof operand === 'string' ? operand.split(',') : [operand].flat()
  if (names.length === 0) throw unknownUser()
  return names.map((name) => (typeof name === 'string' ? name.trim() : name))
}

/** Those people, if the reader may know all of them; undefined if not. */
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

/** What is thrown when the people of a filter are not all known. */
export function unknownUser(): ApiError {
  return badNarrow('unknown user')
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
