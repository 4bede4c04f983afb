import type { App } from '#client/app.ts'
import { canPost, canPostDirectly, topicRules } from '#client/commands/permissions.ts'
import type { View } from '#client/narrow/narrow.ts'
import { type ComposeTarget, conversationOf } from '#client/state/compose-target.ts'
import { type Conversation, conversationKey } from '#client/state/model.ts'
import { can } from '#client/state/permissions.ts'
import type { Store } from '#client/state/store.ts'
import { t } from '#client/ui/t.ts'
import { isOnlyFences } from './fences.ts'
import type { TargetField } from './focus.ts'
import { excess } from './lengths.ts'
import { finished } from './text-parts.ts'

/** Mentions of more people than this need a confirmation, and on the server a permission. */
const manyPeople = 15

/** Why a message cannot be sent, in words for the user; undefined: it can. */
export function obstacle(store: Store, target: ComposeTarget, text: string): string | undefined {
  const place = placeProblem(store, target)
  if (place) return place
  if (text.trim() === '' || isOnlyFences(text)) return t('Write a message first.')
  return contentProblem(store, text)
}

/** Tells that a message is too long, since the server would cut it. */
export function contentProblem(store: Store, text: string): string | undefined {
  const count = excess(text, store.realm.value.max_message_length)
  return count > 0 ? t('The message is {count} characters too long.', { count }) : undefined
}

/** The same of a topic. */
function topicProblem(store: Store, topic: string): string | undefined {
  const count = excess(topic.trim(), store.realm.value.max_topic_length)
  return count > 0 ? t('The topic is {count} characters too long.', { count }) : undefined
}

/** Why nothing can be sent to a target, whatever the text. */
export function placeProblem(store: Store, target: ComposeTarget): string | undefined {
  if (target.kind === 'direct') {
    if (target.userIds.length === 0) return t('Choose who to write to.')
    const others = target.userIds.filter((id) => id !== store.selfId)
    const isGone = (id: number) => store.users.get(id)?.isActive === false
    const [gone] = others
    if (gone !== undefined && others.every(isGone)) {
      return t('{name} has left this organization.', { name: store.users.get(gone)?.name ?? '' })
    }
    return canPostDirectly(store, target.userIds)
      ? undefined
      : t('You are not allowed to send direct messages to these people.')
  }
  const channel = target.channelId === undefined ? undefined : store.channels.get(target.channelId)
  if (!channel) return t('Choose a channel.')
  if (channel.isArchived) return t('This channel is archived.')
  if (!canPost(store, channel)) return t('You are not allowed to post in this channel.')
  const rules = topicRules(store, channel)
  if (target.topic.trim() === '' && !rules.empty) return t('Choose a topic.')
  if (target.topic.trim() !== '' && !rules.named) {
    return t('This channel only allows messages without a topic.')
  }
  return topicProblem(store, target.topic)
}

/** The field of the recipient in which something is missing, so that a message cannot be sent. */
export function missingField(store: Store, target: ComposeTarget): TargetField | undefined {
  if (target.kind === 'direct') return target.userIds.length === 0 ? 'people-field' : undefined
  const channel = target.channelId === undefined ? undefined : store.channels.get(target.channelId)
  if (!channel) return 'channel-field'
  const needsTopic = canPost(store, channel) && !topicRules(store, channel).empty
  return needsTopic && target.topic.trim() === '' ? 'topic-field' : undefined
}

/**
 * Why nothing can be sent to a target, once it is chosen: a missing channel, topic or person only
 * has to be filled in.
 */
export function standingProblem(store: Store, target: ComposeTarget): string | undefined {
  const isChosen =
    target.kind === 'direct'
      ? target.userIds.length > 0
      : target.channelId !== undefined && store.channels.get(target.channelId) !== undefined
  const isMissingTopic = target.kind === 'topic' && target.topic.trim() === ''
  return isChosen && !isMissingTopic ? placeProblem(store, target) : undefined
}

/** A mention of everyone that reaches many people, and may not be meant. */
export interface WideMention {
  readonly name: string
  readonly count: number
  readonly isAllowed: boolean
}

/** It may follow what the server lets it follow. */
const wildcard = /(?:^|[^A-Za-z0-9_\\])@\*\*(all|everyone|channel|stream|topic)\*\*/

/** The wide mention in a text, if it reaches more than `manyPeople`. */
export function wideMentionIn(
  store: Store,
  target: ComposeTarget,
  text: string,
): WideMention | undefined {
  if (target.kind !== 'topic' || target.channelId === undefined) return undefined
  const [, name] = wildcard.exec(text) ?? []
  if (name === undefined || name === 'topic') return undefined
  const count = store.channels.get(target.channelId)?.subscriberCount ?? 0
  if (count <= manyPeople) return undefined
  return { name, count, isAllowed: can(store, 'can_mention_many_users_group') }
}

/** The ids of people whom a text mentions, silently or not. */
export function mentionedPeople(store: Store, text: string): number[] {
  if (!text.includes('@**')) return []
  const ids = new Set<number>()
  for (const [, name = ''] of text.matchAll(/@\*\*([^*\n]+)\*\*/g)) {
    const [, id] = /\|(\d+)$/.exec(name) ?? []
    if (id !== undefined) ids.add(Number(id))
    else for (const user of store.users.current.values()) if (user.name === name) ids.add(user.id)
  }
  return [...ids].filter((id) => store.users.peek(id)?.isActive)
}

/** Sends the message in the compose box, and goes to its conversation if the user wants that. */
export function sendComposed(app: App): void {
  const { compose, router } = app
  const { target, text } = compose.state.peek()
  const conversation = conversationOf(cleaned(target))
  if (!conversation) return
  compose.sent(app.outbox.send(conversation, finished(text)))
  if (shows(router.view.peek(), conversation)) return
  if (app.store.settings.peek().web_navigate_to_sent_message) {
    // The box stays where it is, with the focus in it.
    compose.open(conversation)
    router.go({ kind: 'messages', narrow: conversation })
    return
  }
  const home = targetOfView(router.view.peek())
  if (home) compose.open(home)
  else compose.close()
}

/** The target with its topic as the server stores it. */
export function cleaned(target: ComposeTarget): ComposeTarget {
  if (target.kind === 'direct') {
    return { ...target, userIds: [...target.userIds].sort((a, b) => a - b) }
  }
  return { ...target, topic: target.topic.trim() }
}

/** Whether a view shows exactly this conversation. */
export function shows(view: View, conversation: Conversation): boolean {
  if (view.kind !== 'messages') return false
  const { narrow } = view
  if (narrow.kind !== 'topic' && narrow.kind !== 'direct') return false
  return conversationKey(narrow) === conversationKey(conversation)
}

/**
 * The target of a message written in a view; undefined in views without a conversation or channel.
 */
export function targetOfView(view: View): ComposeTarget | undefined {
  if (view.kind === 'topics') return { kind: 'topic', channelId: view.channelId, topic: '' }
  if (view.kind !== 'messages') return undefined
  const { narrow } = view
  switch (narrow.kind) {
    case 'topic':
      return { kind: 'topic', channelId: narrow.channelId, topic: narrow.topic }
    case 'channel':
      return { kind: 'topic', channelId: narrow.channelId, topic: '' }
    case 'direct':
      return { kind: 'direct', userIds: narrow.userIds }
    default:
      return undefined
  }
}
