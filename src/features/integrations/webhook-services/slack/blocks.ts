import * as v from 'valibot'
import { code, inline, link } from '#features/integrations/webhook-services/format.ts'
import { fromMrkdwn, fromPlain, silenceWildcards } from './text.ts'

const text = v.string()
export const maybeText = v.nullish(v.string())

/** The most items in a message's list of parts, and in each part. */
const most = 200

export function listOf<S extends v.GenericSchema>(item: S) {
  return v.nullish(v.pipe(v.array(item), v.maxLength(most)), [])
}

const textObject = v.object({ type: maybeText, text })
const image = v.object({ image_url: maybeText, alt_text: maybeText })

/** An element of rich text; its type decides which members it has. */
const span = v.object({
  type: text,
  text: maybeText,
  url: maybeText,
  name: maybeText,
  user_id: maybeText,
  channel_id: maybeText,
  usergroup_id: maybeText,
  range: maybeText,
  style: v.nullish(
    v.object({
      bold: v.nullish(v.boolean()),
      italic: v.nullish(v.boolean()),
      strike: v.nullish(v.boolean()),
      code: v.nullish(v.boolean()),
    }),
  ),
})
type Span = v.InferOutput<typeof span>

const spans = listOf(span)
const richPart = v.variant('type', [
  v.object({ type: v.literal('rich_text_section'), elements: spans }),
  v.object({ type: v.literal('rich_text_quote'), elements: spans }),
  v.object({ type: v.literal('rich_text_preformatted'), elements: spans }),
  v.object({
    type: v.literal('rich_text_list'),
    style: maybeText,
    indent: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10)), 0),
    elements: listOf(v.object({ elements: spans })),
  }),
])

const known = v.variant('type', [
  v.object({ type: v.literal('header'), text: textObject }),
  v.object({ type: v.literal('divider') }),
  v.object({
    type: v.literal('section'),
    text: v.nullish(textObject),
    fields: listOf(textObject),
    accessory: v.nullish(v.object({ type: text, ...image.entries })),
  }),
  v.object({
    type: v.literal('context'),
    elements: listOf(v.object({ type: text, text: maybeText, ...image.entries })),
  }),
  v.object({ type: v.literal('image'), title: v.nullish(textObject), ...image.entries }),
  v.object({
    type: v.literal('actions'),
    elements: listOf(v.object({ type: text, text: v.nullish(v.unknown()), url: maybeText })),
  }),
  v.object({ type: v.literal('rich_text'), elements: listOf(richPart) }),
])

/** A block of Slack's Block Kit; other types of blocks are ignored. */
export const blockSchema = v.union([
  known,
  v.object({
    type: v.pipe(
      text,
      v.check((type) => !knownTypes.has(type)),
    ),
  }),
])

const knownTypes = new Set(known.options.map(({ entries }) => entries.type.literal as string))

type Block = v.InferOutput<typeof blockSchema>
type KnownBlock = v.InferOutput<typeof known>

/** The Markdown of each block, without empty ones. */
export function blocksText(blocks: readonly Block[]): string[] {
  return blocks.map((block) => blockText(block as KnownBlock)).filter((said) => said.trim() !== '')
}

function blockText(block: KnownBlock): string {
  switch (block.type) {
    case 'header':
      return `## ${silenceWildcards(inline(block.text.text))}`
    case 'divider':
      return '---'
    case 'section': {
      const parts = [block.text, ...(block.fields ?? [])].map((part) => (part ? textOf(part) : ''))
      if (block.accessory?.type === 'image') parts.push(imageText(block.accessory))
      return parts.filter(Boolean).join('\n')
    }
    case 'context':
      return (block.elements ?? [])
        .map((part) =>
          part.type === 'image' ? imageText(part) : textOf({ ...part, text: part.text ?? '' }),
        )
        .filter(Boolean)
        .join(' | ')
    case 'image':
      return imageText({ ...block, alt_text: block.title?.text ?? block.alt_text })
    case 'actions':
      return (block.elements ?? [])
        .flatMap(({ text: label, url }) => {
          const said = v.safeParse(textObject, label)
          return said.success && url ? link(said.output.text, url) : []
        })
        .join(' | ')
    case 'rich_text':
      return (block.elements ?? []).map(richText).join('\n')
    default:
      return ''
  }
}

function textOf({ type, text: said }: v.InferOutput<typeof textObject>): string {
  return type === 'plain_text' ? fromPlain(said) : fromMrkdwn(said)
}

/** A link to the image; Markdown shows previews of such links. */
export function imageText({ image_url, alt_text }: v.InferOutput<typeof image>): string {
  return image_url ? link(alt_text || 'image', image_url) : ''
}

function richText(part: v.InferOutput<typeof richPart>): string {
  switch (part.type) {
    case 'rich_text_section':
      return lineOf(part.elements ?? [])
    case 'rich_text_quote':
      return lineOf(part.elements ?? []).replace(/^/gm, '> ')
    case 'rich_text_preformatted': {
      const lines = (part.elements ?? []).map((each) => each.text ?? each.url ?? '').join('')
      return `\`\`\`\n${lines.replaceAll('```', "'''")}\n\`\`\``
    }
    case 'rich_text_list': {
      const indent = '  '.repeat(part.indent ?? 0)
      return (part.elements ?? [])
        .map(({ elements }, i) => {
          const bullet = part.style === 'ordered' ? `${i + 1}.` : '*'
          return `${indent}${bullet} ${lineOf(elements ?? [])}`
        })
        .join('\n')
    }
  }
}

function lineOf(parts: readonly Span[]): string {
  return silenceWildcards(parts.map(spanText).join(''))
}

function spanText(part: Span): string {
  switch (part.type) {
    case 'text':
      return styled(fromPlain(part.text ?? ''), part.style)
    case 'link':
      return styled(link(part.text || (part.url ?? ''), part.url), part.style)
    case 'emoji':
      return `:${inline(part.name ?? '').replaceAll(':', '')}:`
    case 'user':
      return `@${inline(part.user_id ?? '')}`
    case 'usergroup':
      return `@${inline(part.usergroup_id ?? '')}`
    case 'channel':
      return `#${inline(part.channel_id ?? '')}`
    case 'broadcast':
      return `@${inline(part.range ?? '')}`
    default:
      return ''
  }
}

/** Puts the marks next to the words, with surrounding spaces outside. */
function styled(words: string, style: Span['style']): string {
  const inner = words.trim()
  if (!style || inner === '') return words
  let marked = style.code ? code(inner) : inner
  if (style.strike) marked = `~~${marked}~~`
  if (style.italic) marked = `*${marked}*`
  if (style.bold) marked = `**${marked}**`
  const from = words.length - words.trimStart().length
  return words.slice(0, from) + marked + words.slice(from + inner.length)
}
