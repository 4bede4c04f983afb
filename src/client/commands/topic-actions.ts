import type { App } from '#client/app.ts'
import { conversationKey, type VisibilityPolicy } from '#client/state/model.ts'
import { t } from '#client/ui/t.ts'
import { isResolved, toggledResolved } from '#shared/resolved-topics.ts'
import { attempt, tellWithUndo } from './attempt.ts'

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
