import { has, id, near, search } from './contents.ts'
import { badNarrow } from './errors.ts'
import type { Meaning, Operator, Reader } from './meaning.ts'
import { dm, dmIncluding, groupDmIncluding, sender } from './people.ts'
import { channel, channels, topic } from './places.ts'
import { is } from './states.ts'
import type { Operand, Term } from './types.ts'

/**
 * Every operator under the name that the API has for it now. `with` is not among them: it is
 * replaced by others before a narrow is compiled.
 *
 * @source api-changes §8; the API description of narrows; clients.md §0.1
 */
const operators: Readonly<Record<string, Operator<Operand>>> = {
  channel,
  channels,
  topic,
  dm,
  'dm-including': dmIncluding,
  'group-pm-with': groupDmIncluding,
  sender,
  is,
  has,
  search,
  id,
  near,
}

const oldNames: Readonly<Record<string, string>> = {
  stream: 'channel',
  streams: 'channels',
  subject: 'topic',
  'pm-with': 'dm',
  'pm-including': 'dm-including',
  from: 'sender',
}

/** The name that an operator has now; unknown names stay as they are. */
export function currentName(operator: string): string {
  return (Object.hasOwn(oldNames, operator) ? oldNames[operator] : undefined) ?? operator
}

/** Operators that cannot be negated: they say where to look, not what to leave out. */
const positiveOnly = ['near', 'with']

/** What one filter means, apart from its negation. @throws BAD_NARROW */
export function meaningOf(reader: Reader, { operator, operand, negated }: Term): Meaning {
  const name = currentName(operator)
  if (negated && positiveOnly.includes(name)) throw badNarrow(`${operator} cannot be negated`)
  const understand = Object.hasOwn(operators, name) ? operators[name] : undefined
  if (!understand) throw badNarrow(`unknown operator ${operator}`)
  return understand(reader, operand)
}
