import type { App } from '#client/app.ts'
import { fetchRecent } from '#client/lists/recent.ts'
import { topicsOf } from '#client/lists/topics.ts'
import { dateRanges, isDate } from '#client/narrow/date-ranges.ts'
import { dayAfter, readMoment } from '#client/narrow/dates.ts'
import {
  channelsWords,
  contentWords,
  describeSearch,
  describeTerm,
  operatorWords,
  stateWords,
} from '#client/narrow/descriptions.ts'
import type { Term } from '#client/narrow/narrow.ts'
import {
  canBeNegated,
  type OperandKind,
  type OperatorName,
  operandKind,
  operatorName,
  operatorNames,
} from '#client/narrow/operators.ts'
import { parseSearch, type Search, termText, tokensOf } from '#client/narrow/search.ts'
import { term } from '#client/narrow/terms.ts'
import type { Channel, User } from '#client/state/model.ts'
import { channelName, topicName } from '#client/state/names.ts'
import type { Store } from '#client/state/store.ts'
import { isMuted } from '#client/state/unreads.ts'
import { byFolded, rank } from '#client/ui/fuzzy.ts'
import { listText, t } from '#client/ui/t.ts'

/** A suggestion of the search box. */
export interface Suggestion {
  readonly key: string
  readonly kind: 'words' | 'operator' | 'date' | 'person' | 'channel' | 'topic' | 'recent'
  /** The text of the box after it is chosen. */
  readonly text: string
  /** The search; undefined: an operand is still to be typed. */
  readonly search: Search | undefined
  /** The added term, as typed and in words. */
  readonly label: string
  readonly description: string
  /** The ID of the person or channel. */
  readonly id?: number
}

export interface SuggestionFacts {
  readonly store: Store
  /** Texts searched for before, the last first. */
  readonly recent: readonly string[]
}

/** How many are offered. */
const most = 12
/** The most of each kind, if there are several kinds. */
const few = 3

/** Learns the topics of the newest messages. @throws CallError */
export async function learnNewTopics(app: App): Promise<void> {
  await fetchRecent(app)
}

/** Suggestions, the most likely first: the words as they are, or completions. */
export function suggest(text: string, { store, recent }: SuggestionFacts): Suggestion[] {
  const tokens = tokensOf(text)
  const isTyping = text !== '' && !/\s$/.test(text)
  const last = isTyping ? (tokens.at(-1) ?? '') : ''
  const before = (isTyping ? tokens.slice(0, -1) : tokens).join(' ')
  const make = maker(before, store)

  const [, sign = '', name = '', operand] = /^(-?)([a-z-]*)(?::(.*))?$/is.exec(last) ?? []
  const operator = operand === undefined ? undefined : operatorName(name)
  if (operator && operator !== 'search' && operand !== undefined) {
    return operands[operandKind(operator)](operator, operand, sign === '-', make).slice(0, most)
  }
  if (text.trim() === '') {
    const searched = recent.slice(0, few + 2).map((each) => recentSuggestion(each, store))
    return [...searched, ...lately(make), ...operators('', '', make)].slice(0, most + few)
  }
  if (last === '') return [asTyped(text, store), ...operators('', '', make)].slice(0, most)
  const word = unquoted(last)
  return unique([
    asTyped(text, store),
    ...beginning(text, last, store),
    ...operators(word.replace(/^-/, ''), word.startsWith('-') ? '-' : '', make).slice(0, 4),
    ...(sign === '' && word.length > 1 ? dates(word, make) : []),
    ...(sign === '' ? [...places(word, make), ...persons(word, make)] : []),
  ])
    .slice(0, most)
    .concat(everywhere(text, store))
}

/** The words alone, if the search is in one place only. */
function everywhere(text: string, store: Store): Suggestion[] {
  const { terms } = parseSearch(text, store)
  const isPlaced = terms.some(({ operator }) => placeOperators.has(operator))
  const found = terms.filter(({ operator }) => operator === 'search')
  if (!isPlaced || found.length === 0) return []
  const words = found.map((each) => termText(each, store)).join(' ')
  const label = t('Search all messages for “{words}”', { words })
  const search = parseSearch(words, store)
  return [{ key: 'everywhere', kind: 'words', text: words, search, label, description: '' }]
}

const placeOperators = new Set(['channel', 'topic', 'dm'])

interface Make {
  readonly store: Store
  /** The terms before the one that is being typed. */
  readonly terms: readonly Term[]
  /** A suggestion that adds a term. */
  readonly term: (kind: Suggestion['kind'], added: readonly Term[], id?: number) => Suggestion
  /** A suggestion that adds the beginning of one. */
  readonly start: (label: string, description: string) => Suggestion
}

function maker(before: string, store: Store): Make {
  const join = (label: string) => (before === '' ? label : `${before} ${label}`)
  const { terms } = parseSearch(before, store)
  return {
    store,
    terms,
    term(kind, added, id) {
      const label = added.map((each) => termText(each, store)).join(' ')
      const text = join(label)
      return {
        key: `${kind}:${text}`,
        kind,
        text: `${text} `,
        search: parseSearch(text, store),
        label,
        description: listText(
          added.map((each) => describeTerm(each, store)),
          'narrow',
        ),
        ...(id !== undefined && { id }),
      }
    },
    start: (label, description) => ({
      key: `operator:${label}`,
      kind: 'operator',
      text: join(label),
      search: undefined,
      label,
      description,
    }),
  }
}

function asTyped(text: string, store: Store): Suggestion {
  const search = parseSearch(text, store)
  const label = text.trim()
  const description = describeSearch(search, store)
  return { key: 'words', kind: 'words', text: label, search, label, description }
}

/** The last word as the beginning of one. */
function beginning(text: string, last: string, store: Store): Suggestion[] {
  if (!/^-?[^-*"][^*"]*[\p{L}\p{N}\p{M}]$/u.test(last)) return []
  return [{ ...asTyped(`${text}*`, store), key: 'beginning' }]
}

function recentSuggestion(text: string, store: Store): Suggestion {
  const search = parseSearch(text, store)
  const description = describeSearch(search, store)
  return { key: `recent:${text}`, kind: 'recent', text, search, label: text, description }
}

/** The people with whom one wrote last, and the topics of the newest messages. */
function lately({ store, term: offer }: Make): Suggestion[] {
  const { recent, users } = store
  const people = recent.direct.value.flatMap(({ conversation }) => {
    const [id, ...others] = conversation.kind === 'direct' ? conversation.userIds : []
    const user = id !== undefined && others.length === 0 ? users.peek(id) : undefined
    if (!user?.isActive) return []
    return [{ ...offer('person', [term('dm', [user.id])], user.id), label: user.name }]
  })
  const topics = recent.topics.value.flatMap(({ conversation }) => {
    if (conversation.kind !== 'topic' || isMuted(conversation, store)) return []
    const { channelId, topic } = conversation
    const label = `#${channelName(channelId, store)} › ${topicName(topic, store)}`
    const terms = [term('channel', channelId), term('topic', topic)]
    return [{ ...offer('topic', terms, channelId), label }]
  })
  return [...people.slice(0, few), ...topics.slice(0, few)]
}

/**
 * Operators whose name begins like this, with their descriptions; complete filters if possible.
 */
function operators(typed: string, sign: string, make: Make): Suggestion[] {
  const wanted = typed.toLowerCase()
  const has = (name: string) => make.terms.some(({ operator }) => operator === name)
  const offered = (name: OperatorName) =>
    (name.startsWith(wanted) || (name === 'sender' && 'from'.startsWith(wanted))) &&
    (sign === '' || canBeNegated(name)) &&
    (sign !== '' || name === 'is' || name === 'has' || !has(name)) &&
    !(name === 'topic' && has('dm')) &&
    !(name.startsWith('dm') && has('channel'))
  return operatorNames.filter(offered).flatMap((name) => {
    const { offer } = operatorWords[name]
    return offer ? [make.start(`${sign}${name}:`, t(offer))] : []
  })
}

/** @returns suggestions for an operand whose beginning, or nothing yet, is typed */
type OfferOperands = (
  operator: OperatorName,
  typed: string,
  negated: boolean,
  make: Make,
) => Suggestion[]

const operands: Readonly<Record<OperandKind, OfferOperands>> = {
  channel: (operator, quoted, negated, make) =>
    matchingChannels(unquoted(quoted), make.store).map(({ id }) =>
      make.term('channel', [term(operator, id, negated)], id),
    ),
  channels: words(channelsWords),
  content: words(contentWords),
  id: (operator, quoted, negated, make) =>
    /^\d{1,15}$/.test(unquoted(quoted))
      ? [make.term('operator', [term(operator, Number(unquoted(quoted)), negated)])]
      : [],
  moment: moments,
  people,
  person: people,
  state: words(stateWords),
  topic: (_, quoted, negated, make) => topics(unquoted(quoted), negated, make),
  words: () => [],
}

function words(all: Readonly<Record<string, unknown>>): OfferOperands {
  return (operator, quoted, negated, make) => {
    const begin = unquoted(quoted).toLowerCase()
    const used = (operand: string) =>
      make.terms.some((each) => each.operator === operator && each.operand === operand)
    return Object.keys(all)
      .filter((operand) => operand.startsWith(begin) && !used(operand))
      .map((operand) => make.term('operator', [term(operator, operand, negated)]))
  }
}

/** Days that begin as typed, the latest first: of a month or a year, the first; and some before today. */
function moments(
  operator: OperatorName,
  quoted: string,
  negated: boolean,
  make: Make,
): Suggestion[] {
  const typed = unquoted(quoted)
  const whole = `${typed}${'0000-01-01'.slice(typed.length)}`
  const first = /^\d{4}(-\d\d)?-?$/.test(typed) ? readMoment(whole) : readMoment(typed)
  const usual = dateRanges().flatMap(({ terms }) => terms.slice(0, 1).map((each) => each.operand))
  const days = [...(first === undefined ? [] : [first]), ...usual.map(Number)]
  return unique(days.map((day) => make.term('date', [term(operator, day, negated)]))).filter(
    ({ label }) => label.slice(label.indexOf(':') + 1).startsWith(typed),
  )
}

/** The days that a word names: `2026-11-20`, or the beginning of "Yesterday". */
function dates(word: string, make: Make): Suggestion[] {
  if (make.terms.some(isDate)) return []
  const begin = word.toLowerCase()
  const named = dateRanges().filter(({ label }) => label.toLowerCase().startsWith(begin))
  const day = word.includes('T') ? undefined : dayRange(word)
  return [...named.map(({ terms }) => terms), ...(day ? [day] : [])].map((terms) =>
    make.term('date', terms),
  )
}

function dayRange(typed: string): readonly Term[] | undefined {
  const start = typed.includes('-') ? readMoment(typed) : undefined
  return start === undefined
    ? undefined
    : [term('after', start), term('before', dayAfter(start, 1))]
}

/** People whose name matches; after a comma outside of quotes, the next one of a conversation. */
function people(
  operator: OperatorName,
  quoted: string,
  negated: boolean,
  make: Make,
): Suggestion[] {
  const { store } = make
  const parts = operator === 'sender' ? [quoted] : (quoted.match(/(?:[^,"]|"[^"]*"?)+|,/g) ?? [])
  const comma = parts.lastIndexOf(',')
  const [chosen] = parseSearch(`dm:${parts.slice(0, Math.max(0, comma)).join('')}`, store).terms
  const others = typeof chosen?.operand === 'object' ? chosen.operand : []
  return matchingPeople(unquoted(parts.slice(comma + 1).join('')), store)
    .filter(({ id }) => !others.includes(id))
    .map(({ id }) => {
      const operand = operator === 'sender' ? id : [...others, id].sort((a, b) => a - b)
      return make.term('person', [term(operator, operand, negated)], id)
    })
}

function topics(typed: string, negated: boolean, make: Make): Suggestion[] {
  const { store, terms } = make
  const chosen = terms.find(({ operator, negated }) => operator === 'channel' && !negated)
  const channelIds =
    typeof chosen?.operand === 'number' ? [chosen.operand] : [...store.subscriptions.current.keys()]
  const known = channelIds.flatMap((id) => topicsOf(store, id))
  const found = rank(known, typed, {
    names: ({ conversation }) => topicName(conversation.topic, store),
    order: (a, b) => b.newestId - a.newestId,
    limit: most,
    worst: 3,
  })
  return found.map(({ conversation: { channelId, topic } }) => {
    const place = chosen || negated ? [] : [term('channel', channelId)]
    return make.term('topic', [...place, term('topic', topic, negated)], channelId)
  })
}

/** Channels and topics by a word. */
function places(word: string, make: Make): Suggestion[] {
  const isPlaced = make.terms.some(({ operator }) => operator === 'channel' || operator === 'dm')
  const channels = isPlaced
    ? []
    : matchingChannels(word, make.store).map(({ id }) =>
        make.term('channel', [term('channel', id)], id),
      )
  const hasTopic = make.terms.some(({ operator }) => operator === 'topic' || operator === 'dm')
  return [...channels.slice(0, few), ...(hasTopic ? [] : topics(word, false, make).slice(0, few))]
}

/** People by a word: their messages, and the conversation with them. */
function persons(word: string, make: Make): Suggestion[] {
  const has = (name: string) => make.terms.some(({ operator }) => operator === name)
  const found = matchingPeople(word, make.store).slice(0, few)
  return found.flatMap(({ id }) => [
    ...(has('sender') ? [] : [make.term('person', [term('sender', id)], id)]),
    ...(has('channel') || has('dm') ? [] : [make.term('person', [term('dm', [id])], id)]),
  ])
}

function matchingChannels(typed: string, { channels, subscriptions }: Store): Channel[] {
  const level = ({ id }: Channel) => (subscriptions.peek(id) ? 0 : 1)
  return rank(channels.current.values(), typed, {
    names: ({ name }) => name,
    order: (a, b) => level(a) - level(b) || byFolded(a.name, b.name),
    limit: most,
    worst: 3,
  })
}

function matchingPeople(typed: string, { users, recent, selfId }: Store): User[] {
  const met = new Map<number, number>()
  for (const { conversation, newestId } of recent.direct.peek()) {
    if (conversation.kind !== 'direct') continue
    for (const id of conversation.userIds) if (!met.has(id)) met.set(id, newestId)
  }
  const level = ({ id, isActive, isBot }: User) =>
    (isActive ? 0 : 4) + (isBot ? 2 : 0) + (met.has(id) || id === selfId ? 0 : 1)
  return rank(users.current.values(), typed, {
    names: ({ name, id }) => (id === selfId ? [name, 'me'] : name),
    order: (a, b) =>
      level(a) - level(b) ||
      (met.get(b.id) ?? 0) - (met.get(a.id) ?? 0) ||
      byFolded(a.name, b.name),
    limit: most,
    worst: 3,
  })
}

function unique(suggestions: readonly Suggestion[]): Suggestion[] {
  return [...new Map(suggestions.map((each) => [each.text.trim(), each])).values()]
}

function unquoted(text: string): string {
  return text.replaceAll('"', '')
}
