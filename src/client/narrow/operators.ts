/**
 * The operators of narrows, by their names in links, the search box and the API. The server defines
 * their meaning; `matches.ts` has as much of it as a client can know.
 */

const current = [
  'channel',
  'channels',
  'topic',
  'dm',
  'dm-including',
  'sender',
  'is',
  'has',
  'near',
  'with',
  'id',
  'before',
  'after',
  'search',
] as const

export type OperatorName = (typeof current)[number]

const names: ReadonlySet<string> = new Set(current)

const oldNames: ReadonlyMap<string, OperatorName> = new Map([
  ['stream', 'channel'],
  ['streams', 'channels'],
  ['subject', 'topic'],
  ['pm-with', 'dm'],
  ['pm-including', 'dm-including'],
  ['group-pm-with', 'dm-including'],
  ['from', 'sender'],
])

/**
 * The current name of an operator, in any case, also by older names; undefined: not an operator.
 */
export function operatorName(text: string): OperatorName | undefined {
  const name = text.toLowerCase()
  return oldNames.get(name) ?? (names.has(name) ? (name as OperatorName) : undefined)
}

/** Whether the operator can be negated: not if it selects where to search. */
export function canBeNegated(operator: OperatorName): boolean {
  return operator !== 'near' && operator !== 'with'
}

/** The operands of `is`, by their current name; `private` is the older one of `dm`. */
export const isOperands = [
  'dm',
  'starred',
  'mentioned',
  'alerted',
  'unread',
  'followed',
  'muted',
  'resolved',
] as const

export const hasOperands = ['link', 'image', 'attachment', 'reaction'] as const

export const channelsOperands = ['public', 'web-public', 'archived'] as const
