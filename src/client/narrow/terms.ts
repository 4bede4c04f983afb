import type { Conversation } from '#client/state/model.ts'
import type { Narrow, Term } from './narrow.ts'
import type { OperatorName } from './operators.ts'

/** A filter as the API takes it. */
export function term(operator: OperatorName, operand: Term['operand'], negated = false): Term {
  return { operator, operand, negated }
}

/**
 * The terms of a narrow for the server. A topic with `withId` is the current topic of that message.
 */
export function termsOf(narrow: Narrow, selfId: number): readonly Term[] {
  switch (narrow.kind) {
    case 'all':
      return []
    case 'channel':
      return [term('channel', narrow.channelId)]
    case 'topic': {
      const place = [term('channel', narrow.channelId), term('topic', narrow.topic)]
      return narrow.withId === undefined ? place : [...place, term('with', narrow.withId)]
    }
    case 'direct':
      return [term('dm', narrow.userIds)]
    case 'all-direct':
      return [term('is', 'dm')]
    case 'mentions':
      return [term('is', 'mentioned')]
    case 'starred':
      return [term('is', 'starred')]
    case 'reactions':
      return [term('has', 'reaction'), term('sender', selfId)]
    case 'search':
      return narrow.terms
  }
}

/**
 * The narrow of terms: one of the named views, or else a search.
 *
 * @param terms with ids for channels and people where they are known, without `near`
 */
export function narrowOf(terms: readonly Term[], selfId: number): Narrow {
  const search: Narrow = { kind: 'search', terms }
  if (terms.some(({ negated }) => negated)) return search
  const shape = terms.map(({ operator }) => operator).join(' ')
  const [first, second, third] = terms.map(({ operand }) => operand)
  switch (shape) {
    case '':
      return { kind: 'all' }
    case 'channel':
      return typeof first === 'number' ? { kind: 'channel', channelId: first } : search
    case 'channel topic':
    case 'channel topic with': {
      if (typeof first !== 'number' || typeof second !== 'string') return search
      const topic: Narrow = { kind: 'topic', channelId: first, topic: second }
      return typeof third === 'number' ? { ...topic, withId: third } : topic
    }
    case 'dm':
    case 'dm with':
      return Array.isArray(first) ? { kind: 'direct', userIds: first } : search
    case 'is':
      if (first === 'dm') return { kind: 'all-direct' }
      if (first === 'mentioned') return { kind: 'mentions' }
      return first === 'starred' ? { kind: 'starred' } : search
    case 'has sender':
      return first === 'reaction' && second === selfId ? { kind: 'reactions' } : search
    case 'sender has':
      return second === 'reaction' && first === selfId ? { kind: 'reactions' } : search
    default:
      return search
  }
}

/** Equal for narrows that hold the same messages; `withId` does not matter. */
export function narrowKey(narrow: Narrow): string {
  switch (narrow.kind) {
    case 'channel':
      return `channel:${narrow.channelId}`
    case 'topic':
      return `topic:${narrow.channelId}:${narrow.topic.toLowerCase()}`
    case 'direct':
      return `direct:${narrow.userIds.join(',')}`
    case 'search':
      return `search:${JSON.stringify(narrow.terms.map((t) => [t.operator, t.operand, t.negated]))}`
    default:
      return narrow.kind
  }
}

export function sameNarrow(a: Narrow, b: Narrow): boolean {
  return narrowKey(a) === narrowKey(b)
}

/** The conversation that a narrow consists of; undefined for other narrows. */
export function conversationOfNarrow(narrow: Narrow): Conversation | undefined {
  if (narrow.kind === 'direct') return { kind: 'direct', userIds: narrow.userIds }
  if (narrow.kind !== 'topic') return undefined
  return { kind: 'topic', channelId: narrow.channelId, topic: narrow.topic }
}
