import * as v from 'valibot'
import { inline, link, webAddress } from '#features/integrations/webhook-services/format.ts'
import { blockSchema, blocksText, imageText, listOf, maybeText } from './blocks.ts'
import { fromMrkdwn, fromPlain } from './text.ts'

/** Tools for Slack write field values as strings, numbers or booleans. */
const value = v.nullish(v.union([v.string(), v.number(), v.boolean()]))

const field = v.object({ title: value, value })

/** An attachment of a message for Slack. */
export const attachmentSchema = v.object({
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
type Attachment = v.InferOutput<typeof attachmentSchema>

/** The Markdown of an attachment. */
export function attachmentText(part: Attachment): string {
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
