import { integration, type Note } from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import {
  inline,
  lines,
  link,
  paragraphs,
  timestamp,
  webAddress,
} from '#features/integrations/webhook-services/format.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'
import { cleanText } from '#features/integrations/webhook-services/text.ts'
import { badRequest } from '#platform/errors.ts'

/** The most embeds of a message, and the most fields of each, as in Discord. */
const mostEmbeds = 10
const mostFields = 25

/** Discord's own marks, which are text elsewhere; the rest of its Markdown is the same. */
function fromDiscord(source: string): string {
  return cleanText(source.slice(0, 8000))
    .replace(/<t:(-?\d{1,11})(?::[a-zA-Z])?>/g, (_, seconds: string) => {
      return timestamp(Number(seconds) * 1000) ?? ''
    })
    .replace(/<a?(:\w{1,40}:)\d{1,25}>/g, '$1')
    .replace(/<(?:@[!&]?|#)\d{1,25}>/g, '')
    .replace(/(?<![_\w])__(?=\S)([^_\n]{1,2000}?\S|\S)__(?![_\w])/g, '**$1**')
}

function embedText(embed: Fields): string {
  const image = (path: string) => {
    const url = embed.maybeText(path)
    return webAddress(url) === undefined ? undefined : link('image', url)
  }
  const title = embed.someText('title')
  const author = embed.someText('author.name')
  const fields = embed
    .maybeList('fields')
    .slice(0, mostFields)
    .map((field) => {
      const name = inline(field.maybeText('name') ?? '')
      return `**${name}**: ${fromDiscord(field.maybeText('value') ?? '')}`
    })
  const footer = inline(embed.maybeText('footer.text') ?? '')
  return lines(
    author && link(author, embed.maybeText('author.url')),
    title && `**${link(title, embed.maybeText('url'))}**`,
    fromDiscord(embed.maybeText('description') ?? ''),
    ...fields,
    image('image.url') ?? image('thumbnail.url'),
    [footer, timestamp(embed.maybeText('timestamp'))].filter(Boolean).join(' | '),
  )
}

/** @source Discord developer documentation, "Execute Webhook" (read on 2026-11-24) */
export const discordIncoming = integration({
  name: 'discord_incoming',
  displayName: 'Discord-compatible webhook',
  category: 'Any service',
  eventTypes: null,
  steps: steps([
    'Many services can post to Discord. Where they ask for the URL of a webhook of Discord, paste `{url}`.',
  ]),
  example: {
    body: {
      username: 'Gardener',
      content: 'The __roses__ were watered <t:1793000000:R>.',
      embeds: [{ title: 'Bed 3', url: 'https://garden.example.com/3', description: 'Moist.' }],
    },
    topic: 'Gardener',
  },
  render({ payload }): Note {
    const embeds = payload.maybeList('embeds').slice(0, mostEmbeds)
    const parts = [fromDiscord(payload.maybeText('content') ?? ''), ...embeds.map(embedText)]
    const content = paragraphs(...parts.map((part) => part.trim()))
    if (content === '') throw badRequest("The payload has no valid member 'content'.")
    const topic = embeds[0]?.someText('author.name') ?? payload.someText('username') ?? 'Discord'
    return { topic, content }
  },
})
