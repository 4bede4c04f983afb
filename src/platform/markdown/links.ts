import { channelHash, topicHash } from '#shared/place-links.ts'

/** A relative link to a channel: `/#narrow/channel/9-dev`. */
export function channelUrl(channel: { id: number; name: string }): string {
  return `/${channelHash(channel)}`
}

/** A relative link to a topic; `''` is the topic without a name. */
export function topicUrl(channel: { id: number; name: string }, topic: string): string {
  return `/${topicHash(channel, topic)}`
}

/** A relative link to a channel message. */
export function messageUrl(
  channel: { id: number; name: string },
  topic: string,
  messageId: number,
): string {
  return `${topicUrl(channel, topic)}/near/${messageId}`
}

/** A relative link to a direct message conversation: `/#narrow/dm/7,9-dm`. */
export function directMessagesUrl(userIds: readonly number[], messageId?: number): string {
  const users = [...userIds].sort((a, b) => a - b).join(',')
  const conversation = `/#narrow/dm/${users}-${userIds.length > 2 ? 'group' : 'dm'}`
  return messageId === undefined ? conversation : `${conversation}/near/${messageId}`
}
