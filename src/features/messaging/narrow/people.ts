import { findDirectRecipient } from '#features/foundation/recipients/queries.ts'
import type { Operand } from '#platform/events/types.ts'
import { type Clause, clause, never } from './clause.ts'
import { type Filter, type Operator, ranks, type UserOperator } from './filter.ts'
import { wholeLane } from './lanes.ts'
import { findNamedPeople, namedPeople, unknownUser } from './operands.ts'
import { listSharedDirects } from './queries.ts'
import type { Reader, UserReader } from './visible.queries.ts'

/** Ids of the users that a filter names; looked up once, on first use. */
function lookUp(reader: Reader, operand: Operand) {
  const names = namedPeople(operand)
  let found: { ids: readonly number[] | undefined } | undefined
  const find = () => {
    found ??= { ids: findNamedPeople(reader, names)?.map(({ id }) => id) }
    return found.ids
  }
  const access = () => {
    const ids = find()
    if (!ids) throw unknownUser()
    return ids
  }
  return { find, access }
}

/** `dm`: the direct conversation of exactly these users and the reader. */
export const dm: UserOperator<Operand> = (reader, operand) => {
  const people = lookUp(reader, operand)
  const recipient = () => findDirectRecipient(reader.read, [...people.access(), reader.user.id])
  return {
    sql() {
      const found = recipient()
      return found ? clause('m.recipient_id = ?', found.id) : never
    },
    matches(message) {
      const ids = people.find()
      if (!ids || message.channel) return false
      const wanted = new Set([...ids, reader.user.id])
      return message.people.length === wanted.size && message.people.every((id) => wanted.has(id))
    },
    lanes() {
      const found = recipient()
      return [wholeLane(found ? [found.id] : [])]
    },
    rank: ranks.conversation,
    exact: true,
  }
}

/** `dm-including`: all direct conversations that include these users. */
export const dmIncluding: UserOperator<Operand> = (reader, operand) => including(reader, operand, 1)

/** `group-pm-with`, deprecated in feature level 177: the same, with at least three participants. */
export const groupDmIncluding: UserOperator<Operand> = (reader, operand) =>
  including(reader, operand, 3)

function including(reader: UserReader, operand: Operand, leastPeople: number): Filter {
  const people = lookUp(reader, operand)
  return {
    sql: () => includesAll(people.access(), leastPeople),
    matches(message) {
      const ids = people.find()
      if (!ids || message.channel || message.people.length < leastPeople) return false
      return ids.every((id) => message.people.includes(id))
    },
    lanes() {
      const [first, ...others] = people
        .access()
        .map((id) => listSharedDirects(reader.read, reader.user.id, id))
      const recipients = first?.filter((id) => others.every((other) => other.includes(id)))
      return [wholeLane(recipients ?? [])]
    },
    rank: ranks.people,
  }
}

function includesAll(ids: readonly number[], leastPeople: number): Clause {
  const member = `EXISTS (SELECT 1 FROM direct_members d
    WHERE d.recipient_id = m.recipient_id AND d.user_id = ?)`
  const size = `(SELECT count(*) FROM direct_members d WHERE d.recipient_id = m.recipient_id)`
  const conditions = [...ids.map(() => member), `${size} >= ${leastPeople}`]
  return clause(conditions.join(' AND '), ...ids)
}

/** `sender`: the messages of one user. */
export const sender: Operator<Operand> = (reader, operand) => {
  if (namedPeople(operand).length > 1) throw unknownUser()
  const people = lookUp(reader, operand)
  const one = () => {
    const [id] = people.access()
    if (id === undefined) throw unknownUser()
    return id
  }
  return {
    sql: () => clause('m.sender_id = ?', one()),
    matches: (message) => people.find()?.[0] === message.senderId,
    lanes: (visible) => [
      {
        kind: 'recipients',
        recipients: [...visible.channels(), ...sharedDirects(reader, one())],
        key: clause('m.sender_id = ?', one()),
        index: 'messages_sender',
      },
    ],
    rank: ranks.sender,
    exact: true,
  }
}

function sharedDirects({ read, user }: Reader, otherId: number): readonly number[] {
  return user === 'spectator' ? [] : listSharedDirects(read, user.id, otherId)
}
