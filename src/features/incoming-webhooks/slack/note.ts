import * as v from 'valibot'
import { integrations } from '#features/bots/integrations.ts'
import { inline, link, webAddress } from '#features/incoming-webhooks/markdown.ts'
import { maybeText, type Note, requirePayload } from '#features/incoming-webhooks/note.ts'
import { badRequest } from '#platform/errors.ts'
import { blockSchema, blocksText, imageText, listOf } from './blocks.ts'
import { fromMrkdwn, fromPlain } from './text.ts'

/** Tools for Slack write field values as strings, numbers or booleans. */
const value = v.nullish(v.union([v.string(), v.number(), v.boolean()]))

const field = v.object({ title: value, value })

const attachment = v.object({
  fallback: maybeText,
  pretext: maybeText,
  author_name: maybeText,
  author_link: maybeText,
  title: maybeText,
  title_link: maybeText,
  text: maybeText,
  fields: listOf(field),
  image_url: maybeText,
  footer: maybeText,
  ts: v.nullish(v.union([v.string(), v.number()])),
  blocks: listOf(blockSchema),
})
type Attachment = v.InferOutput<typeof attachment>

const message = v.object({
  text: maybeText,
  channel: maybeText,
  blocks: listOf(blockSchema),
  attachments: listOf(attachment),
})

/**
 * The note for a payload of Slack's incoming webhooks. If there are blocks, `text` is only a
 * fallback and ignored.
 *
 * @throws BAD_REQUEST an invalid or empty payload
 * @source Slack API, "Sending messages using incoming webhooks" and "Reference: Secondary message
 *   attachments"
 */
export function slackNote(payload: unknown): Note {
  const said = requirePayload(integrations.slack_incoming, 'message', message, payload)
  const blocks = blocksText(said.blocks ?? [])
  const parts = blocks.length > 0 ? blocks : [fromMrkdwn(said.text ?? '')]
  const content = [...parts, ...(said.attachments ?? []).map(attachmentText)]
    .map((part) => part.trim())
    .filter(Boolean)
    .join('\n\n')
  if (content === '') {
    throw badRequest('The payload is empty: it has no text, no blocks and no attachments.')
  }
  const channel = inline(said.channel ?? '').replace(/^[#@]/, '')
  return { topic: channel || 'Slack', content, event: null }
}

function attachmentText(part: Attachment): string {
  const blocks = blocksText(part.blocks ?? [])
  if (blocks.length > 0) return blocks.join('\n\n')
  const title = part.title ? link(part.title, part.title_link) : ''
  const author = part.author_name ? link(part.author_name, part.author_link) : ''
  const lines = [
    fromMrkdwn(part.pretext ?? ''),
    author,
    title && `**${title}**`,
    fromMrkdwn(part.text ?? ''),
    ...(part.fields ?? []).map(fieldText),
    webAddress(part.image_url) ? imageText({ image_url: part.image_url, alt_text: 'image' }) : '',
    [fromPlain(part.footer ?? ''), timeText(part.ts)].filter(Boolean).join(' | '),
  ].filter((line) => line.trim() !== '')
  return lines.length > 0 ? lines.join('\n') : fromPlain(part.fallback ?? '')
}

function fieldText({ title, value: given }: v.InferOutput<typeof field>): string {
  const name = inline(String(title ?? ''))
  const words = fromMrkdwn(String(given ?? ''))
  return name === '' ? words : `**${name}**: ${words}`
}

/** @param ts seconds since the epoch, as a number or a string, perhaps with a fraction */
function timeText(ts: Attachment['ts']): string {
  const [, seconds] = /^(\d{1,11})(?:\.\d*)?$/.exec(String(ts ?? '')) ?? []
  if (seconds === undefined) return ''
  return `<time:${new Date(Number(seconds) * 1000).toISOString()}>`
}
