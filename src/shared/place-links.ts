/*
 * Markdown that links to a channel or a topic. `#**name**` has no way to write some names; those get
 * an ordinary link.
 */

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

interface Place {
  readonly id: number
  readonly name: string
}

/** The hash of a channel: `#narrow/channel/9-dev-talk`. Only the ID identifies the channel. */
export function channelHash({ id, name }: Place): string {
  return `#narrow/channel/${id}-${encodeHashComponent(name.replaceAll(' ', '-'))}`
}

/** The same of a topic; `''` is the topic without a name. */
export function topicHash(channel: Place, topic: string): string {
  return `${channelHash(channel)}/topic/${encodeHashComponent(topic)}`
}

/** What ends a name within `#**...**`, or makes something else of it. */
const awkward = /[`*&[\]\\\n]|\$\$/

/**
 * A link to a channel, or to a topic in it, that leads there whatever they are called.
 *
 * @param emptyTopicName what the topic without a name is called
 */
export function linkMarkdown(channel: Place, topic?: string, emptyTopicName = ''): string {
  const isPlain =
    !awkward.test(channel.name + (topic ?? '')) &&
    // The first `>` ends the name of a channel, an ID behind `@` is one of a message.
    !`${channel.name}${topic ?? ''}`.includes('>') &&
    !/@\d+$/.test(topic ?? '')
  if (isPlain) return `#**${channel.name}${topic === undefined ? '' : `>${topic}`}**`
  const name = `#${channel.name}${topic === undefined ? '' : ` > ${topic || emptyTopicName}`}`
  const text = name.replace(/[`>*&[\]$\\~:<@]/g, (character) => `&#${character.codePointAt(0)};`)
  const hash = topic === undefined ? channelHash(channel) : topicHash(channel, topic)
  return `[${text}](${hash})`
}
