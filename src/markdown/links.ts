const encodedInHashes: Record<string, string> = {
  '.': '.2E',
  '(': '.28',
  ')': '.29',
  '!': '.21',
  "'": '.27',
  '*': '.2A',
}

/**
 * Encodes one part of a link inside the app, so that no mail or chat program cuts it short.
 *
 * @source clients.md §3.5
 */
export function encodeHashComponent(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[.()!'*]/g, (char) => encodedInHashes[char] ?? char)
    .replaceAll('%', '.')
}

/** `9-dev-talk`: the id decides, the name is for people. */
function channelSlug(channel: { id: number; name: string }): string {
  return `${channel.id}-${encodeHashComponent(channel.name.replaceAll(' ', '-'))}`
}

/** Relative link to a channel: `/#narrow/channel/9-dev`. */
export function channelUrl(channel: { id: number; name: string }): string {
  return `/#narrow/channel/${channelSlug(channel)}`
}

/** Relative link to a topic, by name; `''` is the topic without a name. */
export function topicUrl(channel: { id: number; name: string }, topic: string): string {
  return `${channelUrl(channel)}/topic/${encodeHashComponent(topic)}`
}

/** Relative link to one message of a channel. */
export function messageUrl(
  channel: { id: number; name: string },
  topic: string,
  messageId: number,
): string {
  return `${topicUrl(channel, topic)}/near/${messageId}`
}

/** Relative link to a direct-message conversation of these users: `/#narrow/dm/7,9-dm`. */
export function directMessagesUrl(userIds: readonly number[], messageId?: number): string {
  const users = [...userIds].sort((a, b) => a - b).join(',')
  const conversation = `/#narrow/dm/${users}-${userIds.length > 2 ? 'group' : 'dm'}`
  return messageId === undefined ? conversation : `${conversation}/near/${messageId}`
}
