import { notLoggedIn } from '#platform/errors.ts'
import type { Operand, Term } from '#platform/events/types.ts'
import { sentSentence } from '#translations/translate.ts'
import { has, id, near, search } from './contents.ts'
import { after, before } from './dates.ts'
import { badNarrow } from './errors.ts'
import type { Filter, Operator, UserOperator } from './filter.ts'
import { dm, dmIncluding, groupDmIncluding, sender } from './people.ts'
import { channel, channels, topic } from './places.ts'
import { is, within } from './states.ts'
import type { Reader } from './visible.queries.ts'

/**
 * Every operator by its current name. `with` is missing: it is replaced by other operators before
 * a narrow is compiled.
 *
 * @source Zulip API, "Construct a narrow"
 */
const operators: Readonly<Record<string, Operator<Operand>>> = {
  channel,
  channels,
  topic,
  dm: forUsers(dm),
  'dm-including': forUsers(dmIncluding),
  'group-pm-with': forUsers(groupDmIncluding),
  sender,
  is: forUsers(is),
  in: forUsers(within),
  has,
  search,
  id,
  near,
  before,
  after,
}

/** @throws UNAUTHORIZED for spectators */
function forUsers(compile: UserOperator<Operand>): Operator<Operand> {
  return ({ read, user }, operand) => {
    if (user === 'spectator') throw notLoggedIn()
    return compile({ read, user }, operand)
  }
}

const oldNames: Readonly<Record<string, string>> = {
  stream: 'channel',
  streams: 'channels',
  subject: 'topic',
  'pm-with': 'dm',
  'pm-including': 'dm-including',
  from: 'sender',
}

/** The current name of an operator; returns unknown names unchanged. */
export function currentName(operator: string): string {
  return (Object.hasOwn(oldNames, operator) ? oldNames[operator] : undefined) ?? operator
}

/** Operators that cannot be negated, because they do not filter by themselves. */
const positiveOnly = ['near', 'with']

/** The meaning of one filter, before its negation. @throws BAD_NARROW */
export function filterOf(reader: Reader, { operator, operand, negated }: Term): Filter {
  const name = currentName(operator)
  if (negated && positiveOnly.includes(name))
    throw badNarrow(
      sentSentence('Invalid narrow operator: {operator} cannot be negated', { operator }),
    )
  const compile = Object.hasOwn(operators, name) ? operators[name] : undefined
  if (!compile)
    throw badNarrow(
      sentSentence('Invalid narrow operator: unknown operator {operator}', { operator }),
    )
  return compile(reader, operand)
}
