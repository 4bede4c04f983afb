import * as v from 'valibot'
import {
  escaped,
  fenced,
  inlineCode,
  lined,
  linkTo,
  marked,
  type Pieces,
  prefixed,
} from '#features/organization/import/reading/content.ts'
import { emojiCharacters } from '#features/organization/import/reading/emoji-names.ts'
import { channelLink, link, mention, moment, mrkdwn } from './mrkdwn.ts'
import type { People } from './people.ts'

/**
 * Blocks, from which clients and apps compose messages.
 *
 * @source Slack, "Reference: blocks", "Rich text block"
 */

const text = v.fallback(v.optional(v.string(), ''), '')
const flag = v.fallback(v.optional(v.boolean(), false), false)
const number = v.fallback(v.optional(v.number(), 0), 0)
const list = v.fallback(v.optional(v.array(v.unknown()), []), [])

const leaf = v.looseObject({
  type: v.string(),
  text,
  url: text,
  name: text,
  unicode: text,
  user_id: text,
  usergroup_id: text,
  channel_id: text,
  range: text,
  value: text,
  timestamp: number,
  fallback: text,
  style: v.fallback(
    v.optional(v.looseObject({ bold: flag, italic: flag, strike: flag, code: flag })),
    undefined,
  ),
})
type Leaf = v.InferOutput<typeof leaf>

const element = v.looseObject({
  type: v.string(),
  elements: list,
  style: v.fallback(v.optional(v.string(), ''), ''),
  indent: number,
  offset: number,
})
type Element = v.InferOutput<typeof element>

const composed = v.looseObject({ type: text, text: v.string() })
const someText = v.fallback(v.optional(v.union([composed, v.string()])), undefined)
const block = v.looseObject({
  type: v.string(),
  elements: list,
  text: someText,
  fields: list,
  title: someText,
  image_url: text,
  alt_text: text,
})

/** The text of blocks as Markdown; empty if none of them is known. */
export function blocksText(blocks: readonly unknown[], people: People): Pieces {
  return lined(blocks.map((each) => blockText(each, people)))
}

function blockText(source: unknown, people: People): Pieces {
  const found = v.safeParse(block, source)
  if (!found.success) return []
  const { alt_text, elements, fields, image_url, text, title, type } = found.output
  const said = (each: v.InferOutput<typeof someText>): Pieces => {
    if (each === undefined) return []
    if (typeof each === 'string') return mrkdwn(each, people)
    return each.type === 'plain_text' ? [escaped(each.text)] : mrkdwn(each.text, people)
  }
  const saidOf = (each: unknown) => said(v.parse(someText, each))
  switch (type) {
    case 'rich_text':
      return richText(elements, people)
    case 'section':
      return lined([said(text), ...fields.map(saidOf)])
    case 'header':
      return typeof text === 'object' ? [marked(escaped(text.text), '**')] : []
    case 'context':
      return elements.flatMap((each, i) => [...(i === 0 ? [] : [' ']), ...saidOf(each)])
    case 'markdown':
      return typeof text === 'string' ? [text] : []
    case 'image': {
      const name = typeof title === 'object' ? title.text : alt_text
      return [image_url ? linkTo(image_url, name) : escaped(name)]
    }
    default:
      return []
  }
}

function richText(sources: readonly unknown[], people: People): Pieces {
  const elements = sources.flatMap((each) => {
    const found = v.safeParse(element, each)
    return found.success ? [found.output] : []
  })
  return lined(
    elements.map((each, i) => {
      const pieces = elementText(each, people)
      // Without an empty line, the next text would belong to the list or the quote.
      const isGroup = each.type === 'rich_text_list' || each.type === 'rich_text_quote'
      const next = elements[i + 1]
      return isGroup && next && next.type !== each.type ? [...pieces, '\n'] : pieces
    }),
  )
}

function elementText({ elements, indent, offset, style, type }: Element, people: People): Pieces {
  if (type === 'rich_text_preformatted') {
    return [
      fenced(
        leaves(elements)
          .map(({ text, url }) => text || url)
          .join(''),
      ),
    ]
  }
  if (type === 'rich_text_list') {
    const depth = '  '.repeat(Math.max(0, Math.min(indent, 8)))
    return lined(
      elements.map((item, i) => {
        const inner = v.is(element, item) ? v.parse(element, item).elements : []
        const mark = style === 'ordered' ? `${offset + i + 1}. ` : '* '
        return prefixed(inline(inner, people), depth + mark, `${depth}  `)
      }),
    )
  }
  const pieces = inline(elements, people)
  return type === 'rich_text_quote' ? prefixed(pieces, '> ') : pieces
}

const leaves = (sources: readonly unknown[]): Leaf[] =>
  sources.flatMap((each) => {
    const found = v.safeParse(leaf, each)
    return found.success ? [found.output] : []
  })

const inline = (sources: readonly unknown[], people: People): Pieces =>
  leaves(sources).flatMap((each) => leafText(each, people))

function leafText(each: Leaf, people: People): Pieces {
  switch (each.type) {
    case 'text':
      return [styled(each)]
    case 'link':
      return [link(each.url, each.text)]
    case 'user':
      return [mention(each.user_id, '', people)]
    case 'channel':
      return [channelLink(each.channel_id)]
    case 'usergroup':
      return [`@${escaped(each.usergroup_id)}`]
    case 'broadcast':
      return [{ everyone: true }]
    case 'emoji':
      if (people.hasEmoji(each.name)) return [`:${each.name}:`]
      return [charactersOf(each.unicode) ?? emojiCharacters(each.name) ?? `:${each.name}:`]
    case 'date':
      return [moment(each.timestamp, each.fallback)]
    case 'color':
      return [escaped(each.value)]
    default:
      return [escaped(each.text || each.fallback)]
  }
}

function styled({ style, text }: Leaf): string {
  if (!style) return escaped(text)
  if (style.code) return text.split('\n').map(inlineCode).join('\n')
  return text
    .split('\n')
    .map((line) => {
      let made = escaped(line)
      if (style.strike) made = marked(made, '~~')
      if (style.italic) made = marked(made, '*')
      return style.bold ? marked(made, '**') : made
    })
    .join('\n')
}

function charactersOf(unicode: string): string | undefined {
  if (!/^[\da-f]{2,6}(-[\da-f]{2,6})*$/i.test(unicode)) return undefined
  const points = unicode.split('-').map((point) => Number.parseInt(point, 16))
  return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : undefined
}
