import type { Conversation } from '#client/state/model.ts'

/** The recipient of a message; parts that the user has not chosen yet are missing. */
export type ComposeTarget =
  | { readonly kind: 'topic'; readonly channelId: number | undefined; readonly topic: string }
  | { readonly kind: 'direct'; readonly userIds: readonly number[] }

/** Whether two targets are the same, ignoring case and surrounding spaces of topics. */
export function isSameTarget(a: ComposeTarget, b: ComposeTarget): boolean {
  if (a.kind === 'topic' && b.kind === 'topic') {
    return a.channelId === b.channelId && topicKey(a.topic) === topicKey(b.topic)
  }
  return a.kind === 'direct' && b.kind === 'direct' && a.userIds.join() === b.userIds.join()
}

const topicKey = (topic: string) => topic.trim().toLowerCase()

/** The target, if it is complete. */
export function conversationOf(target: ComposeTarget): Conversation | undefined {
  if (target.kind === 'direct') return target.userIds.length > 0 ? target : undefined
  const { channelId, topic } = target
  return channelId === undefined ? undefined : { kind: 'topic', channelId, topic }
}
