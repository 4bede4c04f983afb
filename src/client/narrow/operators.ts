import type { Term } from './narrow.ts'

/** The kinds of operands: how links (`hash.ts`) and the search box (`search.ts`) write them. */
export type OperandKind =
  | 'channel'
  | 'channels'
  | 'content'
  | 'id'
  | 'moment'
  | 'people'
  | 'person'
  | 'state'
  | 'topic'
  | 'words'

interface Operator {
  readonly operand: OperandKind
  readonly oldNames?: readonly string[]
  /** It selects where to search, so it cannot be negated. */
  readonly isPositive?: true
}

/**
 * The operators of narrows, by their names in links, the search box and the API, in the order in
 * which the search box offers them. The server defines their meaning. A new one is an entry here;
 * the compiler then names the others that it needs: what a client can know of its meaning
 * (`matches.ts`), its words (`descriptions.ts`) and its examples (`keys/help-sheet.tsx`).
 */
const operators = {
  channel: { operand: 'channel', oldNames: ['stream'] },
  topic: { operand: 'topic', oldNames: ['subject'] },
  sender: { operand: 'person', oldNames: ['from'] },
  dm: { operand: 'people', oldNames: ['pm-with'] },
  'dm-including': { operand: 'people', oldNames: ['pm-including', 'group-pm-with'] },
  is: { operand: 'state' },
  has: { operand: 'content' },
  after: { operand: 'moment' },
  before: { operand: 'moment' },
  near: { operand: 'id', isPositive: true },
  channels: { operand: 'channels', oldNames: ['streams'] },
  id: { operand: 'id' },
  with: { operand: 'id', isPositive: true },
  search: { operand: 'words' },
} as const satisfies Readonly<Record<string, Operator>>

export type OperatorName = keyof typeof operators

const byName: Readonly<Record<OperatorName, Operator>> = operators

export const operatorNames = Object.keys(byName) as readonly OperatorName[]

const names = new Map(
  operatorNames.flatMap((name) =>
    [name, ...(byName[name].oldNames ?? [])].map((each) => [each, name] as const),
  ),
)

/**
 * The current name of an operator, in any case, also by older names; undefined: not an operator.
 */
export function operatorName(text: string): OperatorName | undefined {
  return names.get(text.toLowerCase())
}

export function operandKind(operator: OperatorName): OperandKind {
  return byName[operator].operand
}

export function canBeNegated(operator: OperatorName): boolean {
  return !byName[operator].isPositive
}

/** The operands of `is`, by their current name; `private` is the older one of `dm`. */
export type State =
  | 'dm'
  | 'starred'
  | 'mentioned'
  | 'alerted'
  | 'unread'
  | 'followed'
  | 'muted'
  | 'resolved'

/** The operands of `has`. */
export type Content = 'link' | 'image' | 'attachment' | 'reaction'

/** The operands of `channels`. */
export type ChannelsKind = 'public' | 'web-public' | 'archived'

/** The entry of an operand, which may be any text; undefined: there is none. */
export function entryOf<V>(
  table: Readonly<Record<string, V>>,
  operand: Term['operand'],
): V | undefined {
  const key = String(operand)
  return Object.hasOwn(table, key) ? table[key] : undefined
}
