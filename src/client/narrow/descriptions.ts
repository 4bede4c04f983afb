import { topicName } from '#client/state/names.ts'
import type { Store } from '#client/state/store.ts'
import { listText, t } from '#client/ui/t.ts'
import { type Text, text, texts } from '#translations/translate.ts'
import { momentShown } from './dates.ts'
import type { Term } from './narrow.ts'
import {
  type ChannelsKind,
  type Content,
  entryOf,
  type OperatorName,
  type State,
} from './operators.ts'
import type { Search } from './search.ts'

/** The description of a search: `in #dev, sent by Ada, without links`. */
export function describeSearch({ terms, near }: Search, store: Store): string {
  const parts = terms.map((each) => describeTerm(each, store))
  if (near !== undefined) parts.push(t('around message {id}', { id: near }))
  return listText(parts, 'narrow')
}

/** One filter in words. */
export function describeTerm({ operator, operand, negated }: Term, store: Store): string {
  const words = operatorWords[operator].describe(operand, store)
  return negated ? t('not: {words}', { words }) : words
}

interface OperatorWords {
  /** What can be found with it, in English; undefined: the search box does not offer it. */
  readonly offer?: Text
  describe(operand: Term['operand'], store: Store): string
}

export const operatorWords: Readonly<Record<OperatorName, OperatorWords>> = {
  channel: {
    offer: text('messages in a channel'),
    describe: (operand, store) =>
      t('in {channel}', { channel: `#${channelLabel(operand, store)}` }),
  },
  topic: {
    offer: text('messages in a topic'),
    describe: (operand, store) =>
      t('in topic {topic}', { topic: topicName(String(operand), store) }),
  },
  sender: {
    offer: text('messages sent by someone'),
    describe: (operand, store) => t('sent by {people}', { people: peopleNames(operand, store) }),
  },
  dm: {
    offer: text('direct messages with someone'),
    describe: (operand, store) =>
      t('direct messages with {people}', { people: peopleNames(operand, store) }),
  },
  'dm-including': {
    offer: text('direct messages that include someone'),
    describe: (operand, store) =>
      t('direct messages that include {people}', { people: peopleNames(operand, store) }),
  },
  is: {
    offer: text('messages in a state: starred, unread, …'),
    describe: (operand) => named(stateWords, 'is', operand),
  },
  has: {
    offer: text('messages with a link, an image, a file or a reaction'),
    describe: (operand) => named(contentWords, 'has', operand),
  },
  after: {
    offer: text('messages since a day, such as 2030-05-24'),
    describe: (operand, store) => t('sent since {time}', { time: timeShown(operand, store) }),
  },
  before: {
    offer: text('messages before a day, such as 2030-05-24'),
    describe: (operand, store) => t('sent before {time}', { time: timeShown(operand, store) }),
  },
  near: {
    offer: text('messages around a message, by its ID'),
    describe: (operand) => t('around message {id}', { id: String(operand) }),
  },
  channels: { describe: (operand) => named(channelsWords, 'channels', operand) },
  id: { describe: (operand) => t('message {id}', { id: String(operand) }) },
  with: {
    describe: (operand) => t('in the conversation of message {id}', { id: String(operand) }),
  },
  search: { describe: (operand) => t('with the words {words}', { words: String(operand) }) },
}

/** The operands of `is`, in the order in which they are offered. */
export const stateWords: Readonly<Record<State, Text>> = texts({
  dm: 'direct messages',
  starred: 'starred',
  mentioned: 'mentioning you',
  alerted: 'with your alert words',
  unread: 'unread',
  followed: 'in topics that you follow',
  muted: 'in muted topics and channels',
  resolved: 'in resolved topics',
})

export const contentWords: Readonly<Record<Content, Text>> = texts({
  link: 'with links',
  image: 'with images',
  attachment: 'with files',
  reaction: 'with reactions',
})

export const channelsWords: Readonly<Record<ChannelsKind, Text>> = texts({
  public: 'in all public channels',
  'web-public': 'in web-public channels',
  archived: 'in archived channels',
})

function named(
  words: Readonly<Record<string, Text>>,
  operator: OperatorName,
  operand: Term['operand'],
): string {
  const found = entryOf(words, operand)
  return found ? t(found) : `${operator}:${operand}`
}

function peopleNames(operand: Term['operand'], { users, selfId }: Store): string {
  const names = [operand].flat().map((id) => {
    if (id === selfId) return t('you')
    return (typeof id === 'number' ? users.peek(id)?.name : undefined) ?? String(id)
  })
  return listText(names, 'narrow')
}

function channelLabel(operand: Term['operand'], { channels }: Store): string {
  const name = typeof operand === 'number' ? channels.peek(operand)?.name : undefined
  return name ?? String(operand)
}

function timeShown(operand: Term['operand'], { settings }: Store): string {
  return momentShown(Number(operand), settings.value)
}
