import { topicName } from '#client/state/names.ts'
import type { Store } from '#client/state/store.ts'
import { listText, t } from '#client/ui/t.ts'
import { momentShown } from './dates.ts'
import type { Term } from './narrow.ts'
import { operatorName } from './operators.ts'
import type { Search } from './search.ts'

/** The description of a search: `in #dev, sent by Ada, without links`. */
export function describeSearch({ terms, near }: Search, store: Store): string {
  const parts = terms.map((each) => describeTerm(each, store))
  if (near !== undefined) parts.push(t('around message {id}', { id: near }))
  return listText(parts, 'narrow')
}

/** One filter in words. */
export function describeTerm(filter: Term, store: Store): string {
  const words = positive(filter, store)
  return filter.negated ? t('not: {words}', { words }) : words
}

function positive({ operator, operand }: Term, store: Store): string {
  const text = String(operand)
  const people = [operand].flat().map((id) => personName(id, store))
  switch (operatorName(operator)) {
    case 'channel':
      return t('in {channel}', { channel: `#${channelLabel(operand, store)}` })
    case 'topic':
      return t('in topic {topic}', { topic: topicName(text, store) })
    case 'dm':
      return t('direct messages with {people}', { people: listText(people, 'narrow') })
    case 'dm-including':
      return t('direct messages that include {people}', { people: listText(people, 'narrow') })
    case 'sender':
      return t('sent by {people}', { people: listText(people, 'narrow') })
    case 'is':
      return isDescriptions()[text] ?? `is:${text}`
    case 'has':
      return hasDescriptions()[text] ?? `has:${text}`
    case 'channels':
      return channelsDescriptions()[text] ?? `channels:${text}`
    case 'id':
      return t('message {id}', { id: text })
    case 'near':
      return t('around message {id}', { id: text })
    case 'before':
      return t('sent before {time}', { time: momentShown(Number(operand), store.settings.value) })
    case 'after':
      return t('sent since {time}', { time: momentShown(Number(operand), store.settings.value) })
    case 'with':
      return t('in the conversation of message {id}', { id: text })
    default:
      return t('with the words {words}', { words: text })
  }
}

function personName(id: number | string, { users, selfId }: Store): string {
  if (id === selfId) return t('you')
  return (typeof id === 'number' ? users.peek(id)?.name : undefined) ?? String(id)
}

function channelLabel(operand: Term['operand'], { channels }: Store): string {
  const name = typeof operand === 'number' ? channels.peek(operand)?.name : undefined
  return name ?? String(operand)
}

function isDescriptions(): Readonly<Record<string, string>> {
  return {
    dm: t('direct messages'),
    starred: t('starred'),
    mentioned: t('mentioning you'),
    alerted: t('with your alert words'),
    unread: t('unread'),
    followed: t('in topics that you follow'),
    muted: t('in muted topics and channels'),
    resolved: t('in resolved topics'),
  }
}

function hasDescriptions(): Readonly<Record<string, string>> {
  return {
    link: t('with links'),
    image: t('with images'),
    attachment: t('with files'),
    reaction: t('with reactions'),
  }
}

function channelsDescriptions(): Readonly<Record<string, string>> {
  return {
    public: t('in all public channels'),
    'web-public': t('in web-public channels'),
    archived: t('in archived channels'),
  }
}
