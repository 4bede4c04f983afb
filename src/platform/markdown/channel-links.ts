import { startsReference } from './boundaries.ts'
import { type Context, mayName } from './context.ts'
import { escapeHtml } from './escape.ts'
import type { MarkdownConstruct } from './found.ts'
import { channelUrl, messageUrl, topicUrl } from './links.ts'

const link = /#\*\*([^*\n]+)\*\*/y

/**
 * A link to a channel, topic or message: `#**channel**`, `#**channel>topic**` or
 * `#**channel>topic@71**`. Not a link if the author cannot see a channel of that name, or beyond
 * `namingLimits`.
 *
 * @source Zulip API, "Message formatting" (feature levels 319, 347 and 400)
 */
export function channelLinkAt(
  source: string,
  at: number,
  context: Context,
): MarkdownConstruct | undefined {
  if (context.namesLeft === 0 || !startsReference(source, at)) return undefined
  link.lastIndex = at
  const [match, target = ''] = link.exec(source) ?? []
  if (match === undefined) return undefined
  const end = at + match.length
  const render = (html: () => string) => () => {
    context.links.hasLink = true
    return html()
  }
  const whole = context.lookups.channelByName(target)
  if (whole && !mayName(context)) return undefined
  if (whole) return { end, render: render(() => channelHtml(whole, context)) }
  const angle = target.indexOf('>')
  if (angle === -1) return undefined
  const channel = context.lookups.channelByName(target.slice(0, angle))
  if (!channel || !mayName(context)) return undefined
  const rest = target.slice(angle + 1)
  const [, topic = '', messageId] = /^(.*)@(\d{1,15})$/.exec(rest) ?? []
  if (messageId !== undefined) {
    const html = () => messageHtml(channel, topic.trim(), Number(messageId), context)
    return { end, render: render(html) }
  }
  return { end, render: render(() => topicHtml(channel, rest.trim(), context)) }
}

interface Channel {
  id: number
  name: string
}

function channelHtml(channel: Channel, context: Context): string {
  context.text.push(`#${channel.name}`)
  const href = channelUrl(channel)
  return `<a class="stream" data-stream-id="${channel.id}" href="${href}">#${escapeHtml(channel.name)}</a>`
}

function topicHtml(channel: Channel, topic: string, context: Context): string {
  const newest = context.lookups.newestInTopic(channel.id, topic)
  const href = topicUrl(channel, topic) + (newest === undefined ? '' : `/with/${newest}`)
  const label = labelOf(channel, topic, context)
  return `<a class="stream-topic" data-stream-id="${channel.id}" href="${href}">${label}</a>`
}

function messageHtml(channel: Channel, topic: string, id: number, context: Context): string {
  const href = messageUrl(channel, topic, id)
  return `<a class="message-link" href="${href}">${labelOf(channel, topic, context)} @ 💬</a>`
}

function labelOf(channel: Channel, topic: string, context: Context): string {
  const shown = topic === '' ? context.lookups.emptyTopicDisplayName : topic
  context.text.push(`#${channel.name} > ${shown}`)
  const name = escapeHtml(shown)
  return `#${escapeHtml(channel.name)} &gt; ${topic === '' ? `<em>${name}</em>` : name}`
}
