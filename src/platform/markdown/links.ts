const encodedInHashes: Record<string, string> = {
  '.': '.2E',
  '(': '.28',
  ')': '.29',
  '!': '.21',
  "'": '.27',
  '*': '.2A',
}

/**
 * Encodes a component of a `#narrow` link as Zulip clients do: percent-encoded with `.` instead of
 * `%`, and without punctuation that could end the link in other programs.
 */
export function encodeHashComponent(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[.()!'*]/g, (char) => encodedInHashes[char] ?? char)
    .replaceAll('%', '.')
}

/** For example `9-dev-talk`; only the ID identifies the channel. */
function channelSlug(channel: { id: number; name: string }): string {
  return `${channel.id}-${encodeHashComponent(channel.name.replaceAll(' ', '-'))}`
}

/** A relative link to a channel: `/#narrow/channel/9-dev`. */
export function channelUrl(channel: { id: number; name: string }): string {
  return `/#narrow/channel/${channelSlug(channel)}`
}

/** A relative link to a topic; `''` is the topic without a name. */
export function topicUrl(channel: { id: number; name: string }, topic: string): string {
  return `${channelUrl(channel)}/topic/${encodeHashComponent(topic)}`
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
