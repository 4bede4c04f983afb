import * as v from 'valibot'
import {
  escaped,
  fenced,
  inlineCode,
  lined,
  marked,
  type Pieces,
  prefixed,
  setApart,
} from '#features/organization/imports/reading/content.ts'
import { emojiCharacters } from '#features/organization/imports/reading/emoji-names.ts'
import { isDamaged, parseRow } from '#features/organization/imports/reading/schemas.ts'
import type { Notes } from '#features/organization/imports/report.ts'
import { channelLink, decoded, link, mention, moment } from './mrkdwn.ts'
import type { People } from './people.ts'

/**
 * Rich text, which Slack's editor makes.
 *
 * @source Slack, "Rich text block"
 */

const text = v.fallback(v.optional(v.string(), ''), '')
const flag = v.fallback(v.optional(v.boolean(), false), false)
const number = v.fallback(v.optional(v.number(), 0), 0)
const list = v.fallback(v.optional(v.array(v.unknown()), []), [])

const leaf = v.looseObject({
  type: v.string(),
  text: v.nullish(v.string(), ''),
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

/** What the text of blocks depends on. */
export interface Workspace {
  readonly people: People
  /** Names of groups and channels, by their IDs, as the text beside the blocks has them. */
  readonly labels?: ReadonlyMap<string, string>
  /** Counts what no message can show. */
  readonly notes: Notes
}

/** Rich text has IDs alone where the text has `<!subteam^S1|@devs>` and `<#C1|general>`. */
export function labelsIn(text: string): ReadonlyMap<string, string> {
  const found = text.matchAll(/<(?:!subteam\^|#)([A-Z0-9]+)\|[@#]?([^<>\n]+)>/g)
  return new Map([...found].map(([, id = '', label = '']) => [id, decoded(label)]))
}

/** The text of the elements of a block of rich text, as Markdown. */
export function richText(sources: readonly unknown[], workspace: Workspace): Pieces {
  const elements = usable(element, sources, workspace)
  return lined(
    elements.map((each, i) => {
      const pieces = elementText(each, workspace)
      // Without an empty line, the next text would belong to the list or the quote.
      const isGroup = each.type === 'rich_text_list' || each.type === 'rich_text_quote'
      const next = elements[i + 1]
      return isGroup && next && next.type !== each.type ? [...pieces, '\n'] : pieces
    }),
  )
}

function elementText(
  { elements, indent, offset, style, type }: Element,
  workspace: Workspace,
): Pieces {
  if (type === 'rich_text_preformatted') {
    return [
      fenced(
        usable(leaf, elements, workspace)
          .map(({ text, url }) => text || url)
          .join(''),
      ),
    ]
  }
  if (type === 'rich_text_list') {
    const depth = '  '.repeat(Math.max(0, Math.min(indent, 8)))
    return lined(
      elements.map((item, i) => {
        const inner = usable(element, [item], workspace).flatMap((each) => each.elements)
        const mark = style === 'ordered' ? `${offset + i + 1}. ` : '* '
        return prefixed(inline(inner, workspace), depth + mark, `${depth}  `)
      }),
    )
  }
  const pieces = inline(elements, workspace)
  return type === 'rich_text_quote' ? prefixed(pieces, '> ') : pieces
}

/** The parts that are as they should be; the others are counted. */
function usable<T extends object>(
  schema: v.GenericSchema<unknown, T>,
  sources: readonly unknown[],
  { notes }: Workspace,
): T[] {
  return sources.flatMap((each) => {
    const row: T | undefined = parseRow(schema, each)
    if (!row || isDamaged(row)) notes.changed('messages', 'bad-value', 'rich text')
    return row ? [row] : []
  })
}

const inline = (sources: readonly unknown[], workspace: Workspace): Pieces =>
  setApart(joined(usable(leaf, sources, workspace)).flatMap((each) => leafText(each, workspace)))

/** Texts in the same style beside each other are one: marks that touch would not be marks. */
function joined(sources: readonly Leaf[]): Leaf[] {
  const found: Leaf[] = []
  for (const each of sources) {
    const last = found.at(-1)
    const isSame =
      each.type === 'text' &&
      last?.type === 'text' &&
      marksOf(each.style).join() === marksOf(last.style).join()
    if (isSame) found[found.length - 1] = { ...last, text: last.text + each.text }
    else found.push(each)
  }
  return found
}

function marksOf(style: Leaf['style']): string[] {
  return ['code', 'strike', 'italic', 'bold'].filter((name) => style?.[name] === true)
}

function leafText(each: Leaf, { labels, notes, people }: Workspace): Pieces {
  switch (each.type) {
    case 'text':
      return [styled(each)]
    case 'link':
      return styledLink(each)
    case 'user':
      return [mention(each.user_id, '', people)]
    case 'channel':
      return [channelLink(each.channel_id, labels?.get(each.channel_id))]
    case 'usergroup':
      return [`@${escaped(labels?.get(each.usergroup_id) ?? each.usergroup_id)}`]
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
      notes.changed('messages', 'no-place', each.type)
      return each.url ? [link(each.url, each.text)] : [escaped(each.text || each.fallback)]
  }
}

function styled({ style, text }: Leaf): string {
  if (style?.code) return text.split('\n').map(inlineCode).join('\n')
  return text
    .split('\n')
    .map((line) => {
      let made = escaped(line)
      for (const mark of marksAround(style)) made = marked(made, mark)
      return made
    })
    .join('\n')
}

/** Marks from the inside out. */
const signs: Readonly<Record<string, string>> = { strike: '~~', italic: '*', bold: '**' }
const marksAround = (style: Leaf['style']) => marksOf(style).flatMap((name) => signs[name] ?? [])

/** A link in marks. What is code in Slack keeps its link, and loses the look of code. */
function styledLink({ style, text, url }: Leaf): Pieces {
  const marks = marksAround(style)
  return [...marks.toReversed(), link(url, text), ...marks]
}

function charactersOf(unicode: string): string | undefined {
  if (!/^[\da-f]{2,6}(-[\da-f]{2,6})*$/i.test(unicode)) return undefined
  const points = unicode.split('-').map((point) => Number.parseInt(point, 16))
  return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : undefined
}
