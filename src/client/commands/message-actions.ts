import type { App } from '#client/app.ts'
import { termsOf } from '#client/narrow/terms.ts'
import { conversationKey, type Message, type VisibilityPolicy } from '#client/state/model.ts'
import type { SubscriptionProperty } from '#client/state/optimistic.ts'
import { copyText } from '#client/ui/clipboard.ts'
import { t } from '#client/ui/t.ts'
import { isResolved, toggledResolved } from '#shared/resolved-topics.ts'
import { attempt, tellWithUndo } from './attempt.ts'
import { absoluteLink } from './quoting.ts'

/** Opens the compose box for an answer. */
export function reply(app: App, message: Message): void {
  app.compose.open(message.conversation)
}

/** Opens the compose box for a direct message to the sender of a message. */
export function replyDirectly(app: App, message: Message): void {
  app.compose.open({ kind: 'direct', userIds: [message.senderId] })
}

export function replyMentioning(app: App, message: Message): void {
  app.compose.open(message.conversation)
  app.compose.insert(`@**${message.senderName}|${message.senderId}** `)
}

export async function toggleStar(app: App, message: Message): Promise<void> {
  const isStarred = message.flags.has('starred')
  await attempt(app, app.changes.setStarred([message.id], !isStarred))
}

export async function copyLink(app: App, message: Message): Promise<void> {
  await copy(app, absoluteLink(app, message), t('Link copied.'))
}

/** Puts a text on the clipboard and says so. */
export async function copy(app: App, text: string, done: string): Promise<void> {
  try {
    await copyText(text)
    app.notify(done)
  } catch {
    app.notify(t('Your browser does not allow copying here.'), 'error')
  }
}

/** Marks a message and all later ones of its conversation as unread. */
export async function markUnreadFrom(app: App, message: Message): Promise<void> {
  const narrow = termsOf(message.conversation, app.store.selfId)
  app.pane.peek()?.hold()
  await attempt(app, app.marking.markUnreadFrom(narrow, message.id))
}

/**
 * Changes the visibility policy of a topic. Muting offers an undo, because the topic leaves the
 * lists.
 */
export async function setTopicPolicy(
  app: App,
  channelId: number,
  topic: string,
  policy: VisibilityPolicy,
): Promise<void> {
  const key = conversationKey({ kind: 'topic', channelId, topic })
  const before = app.store.topicPolicies.peek(key)?.policy ?? 0
  const set = async (to: VisibilityPolicy) => {
    await app.changes.setTopicPolicy(channelId, topic, to)
    return true
  }
  if (!(await attempt(app, set(policy))) || policy !== 1) return
  tellWithUndo(app, t('The topic is muted.'), () => set(before))
}

/** Marks a topic as resolved, or removes the mark. */
export async function toggleResolved(app: App, channelId: number, topic: string): Promise<void> {
  const toggled = toggledResolved(topic, app.store.realm.peek().max_topic_length)
  const rename = async (from: string, to: string) => {
    const messageId = await newestOf(app, channelId, from)
    if (messageId === undefined) return false
    await app.api.patch(`/messages/${messageId}`, {
      topic: to,
      propagate_mode: 'change_all',
      send_notification_to_old_thread: false,
      send_notification_to_new_thread: true,
    })
    return true
  }
  if (!(await attempt(app, rename(topic, toggled)))) return
  const done = isResolved(topic) ? t('The topic is unresolved.') : t('The topic is resolved.')
  tellWithUndo(app, done, () => rename(toggled, topic))
}

/** The id of the newest message of a topic, which represents it in moves. */
export async function newestOf(
  app: App,
  channelId: number,
  topic: string,
): Promise<number | undefined> {
  const reply = await attempt(
    app,
    app.api.get<{ messages: { id: number }[] }>('/messages', {
      narrow: [
        { operator: 'channel', operand: channelId },
        { operator: 'topic', operand: topic },
      ],
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      allow_empty_topic_name: true,
    }),
  )
  const id = reply?.messages.at(-1)?.id
  if (reply && id === undefined) app.notify(t('There are no messages in this topic.'), 'error')
  return id
}

export async function deleteTopic(app: App, channelId: number, topic: string): Promise<void> {
  for (;;) {
    const reply = await attempt(
      app,
      app.api.post<{ complete: boolean }>(`/streams/${channelId}/delete_topic`, {
        topic_name: topic,
      }),
    )
    if (!reply || reply.complete) return
  }
}

export async function setSubscription(
  app: App,
  channelId: number,
  property: SubscriptionProperty,
  value: boolean | string,
): Promise<void> {
  const set = async (to: boolean | string) => {
    await app.changes.changeSubscription(channelId, property, to)
    return true
  }
  if (!(await attempt(app, set(value))) || property !== 'is_muted') return
  const text = value ? t('The channel is muted.') : t('The channel is no longer muted.')
  tellWithUndo(app, text, () => set(!value))
}

export async function subscribe(app: App, channelId: number, userIds?: number[]): Promise<void> {
  const name = app.store.channels.peek(channelId)?.name
  if (name === undefined) return
  await attempt(
    app,
    app.api.post('/users/me/subscriptions', {
      subscriptions: [{ name }],
      ...(userIds && { principals: userIds }),
    }),
  )
}

export async function unsubscribe(app: App, channelId: number): Promise<void> {
  const name = app.store.channels.peek(channelId)?.name
  if (name === undefined) return
  const call = app.api.delete('/users/me/subscriptions', { subscriptions: [name] })
  if (!(await attempt(app, call))) return
  const again = () => app.api.post('/users/me/subscriptions', { subscriptions: [{ name }] })
  tellWithUndo(app, t('You left {channel}.', { channel: `#${name}` }), again)
}
