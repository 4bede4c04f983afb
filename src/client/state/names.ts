import { listText, pageLocale, t } from '#client/ui/t.ts'
import { isResolved, unmarkedTopic } from '#shared/resolved-topics.ts'
import type { Channel, Message } from './model.ts'
import type { Store } from './store.ts'

/** The names of things in lists. Reading these names subscribes to them. */

let order: (Pick<Intl.Collator, 'compare'> & { readonly locale: string }) | undefined

/** The order of names: by the language of the page, numbers by their value. */
export function byName(a: string, b: string): number {
  const locale = pageLocale()
  if (order?.locale !== locale) {
    const { compare } = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' })
    order = { locale, compare }
  }
  return order.compare(a, b)
}

/** A topic as it is shown; the one without a name has the name that the organization shows. */
export function topicName(topic: string, { realm }: Pick<Store, 'realm'>): string {
  return topic === '' ? realm.value.realm_empty_topic_display_name : topic
}

/** A topic without the mark of resolved ones. */
export function plainTopic(topic: string): { readonly name: string; readonly isResolved: boolean } {
  return { name: unmarkedTopic(topic), isResolved: isResolved(topic) }
}

export function userName(id: number, { users }: Pick<Store, 'users'>): string {
  return users.get(id)?.name ?? t('Unknown user')
}

export function channelName(id: number, { channels }: Pick<Store, 'channels'>): string {
  return channels.get(id)?.name ?? t('Unknown channel')
}

/** The names of the people of a direct conversation; the user's own for messages to oneself. */
export function peopleNames(userIds: readonly number[], store: Pick<Store, 'users'>): string {
  return listText(
    userIds.map((id) => userName(id, store)),
    'narrow',
  )
}

/** The sender's name now, or as of the message for senders that the client does not know. */
export function senderName(message: Message, { users }: Pick<Store, 'users'>): string {
  return users.get(message.senderId)?.name ?? message.senderName
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
}

/** The description of a channel in one line of plain text, for places without Markdown. */
export function plainDescription({ descriptionHtml }: Pick<Channel, 'descriptionHtml'>): string {
  return descriptionHtml
    .replace(/<[^<>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => entities[name] ?? whole)
    .replace(/\s+/g, ' ')
    .trim()
}
