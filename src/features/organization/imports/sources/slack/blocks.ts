import * as v from 'valibot'
import {
  escaped,
  isEmpty,
  lined,
  linkTo,
  marked,
  type Pieces,
} from '#features/organization/imports/reading/content.ts'
import { isDamaged, listOf, parseRow } from '#features/organization/imports/reading/schemas.ts'
import { link, mrkdwn } from './mrkdwn.ts'
import type { People } from './people.ts'
import { labelsIn, richText, type Workspace } from './rich-text.ts'

/**
 * Blocks, from which clients and apps compose messages.
 *
 * @source Slack, "Reference: blocks"
 */

const text = v.fallback(v.optional(v.string(), ''), '')
const list = v.fallback(v.optional(v.array(v.unknown()), []), [])

const composed = v.looseObject({ type: text, text: v.string() })
const someText = v.fallback(v.optional(v.union([composed, v.string()])), undefined)
type SomeText = v.InferOutput<typeof someText>
const block = v.looseObject({
  type: v.string(),
  elements: list,
  rows: list,
  text: someText,
  fields: list,
  accessory: v.optional(v.unknown()),
  title: someText,
  title_url: text,
  video_url: text,
  description: someText,
  author_name: text,
  image_url: text,
  alt_text: text,
})

/** The kinds of blocks that say what a message says; the others come with a text. */
const saying = new Set(['rich_text', 'section', 'header', 'context', 'markdown', 'image', 'table'])

/**
 * The text of blocks as Markdown.
 *
 * @param text the message's own, which Slack only shows if there are no such blocks
 */
export function blocksText(blocks: readonly unknown[], text: string, outer: Workspace): Pieces {
  const workspace = { ...outer, labels: labelsIn(text) }
  let isSaid = false
  const texts = blocks.map((source) => {
    const row = parseRow(block, source)
    if (!row || isDamaged(row) || hasLostText(row)) countDamaged(workspace, 'block')
    if (!row) return []
    const pieces = blockText(row, workspace)
    if (saying.has(row.type) && !isEmpty(pieces)) isSaid = true
    return pieces
  })
  return lined(isSaid ? texts : [mrkdwn(text, workspace.people), ...texts])
}

function countDamaged({ notes }: Workspace, what: string): void {
  notes.changed('messages', 'bad-value', what)
}

/** Whether something else is in place of a text in the lists of a block. */
function hasLostText({ elements, fields, type }: v.InferOutput<typeof block>): boolean {
  return [...fields, ...(type === 'context' ? elements : [])].some(isNoText)
}

function isNoText(value: unknown): boolean {
  // A picture between texts has none.
  if (value instanceof Object && !Array.isArray(value) && !('text' in value)) return false
  const row = parseRow(v.object({ text: someText }), { text: value })
  return row === undefined || isDamaged(row)
}

function saidIn(each: SomeText, people: People): Pieces {
  if (each === undefined) return []
  if (typeof each === 'string') return mrkdwn(each, people)
  return each.type === 'plain_text' ? [escaped(each.text)] : mrkdwn(each.text, people)
}

const plainOf = (each: SomeText) => (typeof each === 'object' ? each.text : (each ?? ''))

function blockText(source: v.InferOutput<typeof block>, workspace: Workspace): Pieces {
  const { people } = workspace
  const { accessory, alt_text, elements, fields, image_url, text, title, type } = source
  const said = (each: SomeText) => saidIn(each, people)
  const saidOf = (each: unknown) => said(v.parse(someText, each))
  switch (type) {
    case 'rich_text':
      return richText(elements, workspace)
    case 'section':
      return lined([
        said(text),
        ...fields.map(saidOf),
        accessory === undefined ? [] : controlsText([accessory], workspace),
      ])
    case 'actions':
      return controlsText(elements, workspace)
    case 'table':
      return tableText(source.rows, workspace)
    case 'video':
      return lined([
        [link(source.title_url || source.video_url, plainOf(title) || alt_text)],
        [escaped(source.author_name)],
        said(source.description),
      ])
    case 'divider':
      return []
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
      workspace.notes.changed('messages', 'no-place', type)
      return lined(wordsIn(source, people))
  }
}

const choice = v.looseObject({ text: someText, url: text })
const control = v.looseObject({
  ...choice.entries,
  type: text,
  options: listOf(choice),
  image_url: text,
  alt_text: text,
})

/** The links of buttons and menus; what only their app understands is counted. */
export function controlsText(controls: readonly unknown[], workspace: Workspace): Pieces {
  const links = controls.flatMap((each) => {
    const row = parseRow(control, each)
    if (!row || isDamaged(row)) countDamaged(workspace, 'control')
    if (!row) return []
    const { alt_text, image_url, options, type } = row
    if (image_url !== '') return [linkTo(image_url, alt_text)]
    const leading = [row, ...options].filter(({ url }) => url !== '')
    if (leading.length === 0) workspace.notes.changed('messages', 'no-place', type)
    return leading.map(({ text, url }) => link(url, plainOf(text)))
  })
  return links.flatMap((each, i) => (i === 0 ? [each] : [' ', each]))
}

const cell = v.looseObject({
  type: text,
  elements: list,
  text,
  value: v.fallback(v.optional(v.union([v.string(), v.number()]), ''), ''),
})

/** A table, whose first row is its head. The empty line keeps the next text out of it. */
function tableText(sources: readonly unknown[], workspace: Workspace): Pieces {
  const rows = sources.map((row) => {
    if (!Array.isArray(row)) countDamaged(workspace, 'row of a table')
    return (Array.isArray(row) ? row : []).map((source: unknown) => {
      const found = parseRow(cell, source)
      if (!found || isDamaged(found)) countDamaged(workspace, 'cell of a table')
      return found ? cellText(found, workspace) : []
    })
  })
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  if (width === 0) return []
  const line = (row: readonly Pieces[]) => ['|', ...row.flatMap((each) => [' ', ...each, ' |'])]
  const [head = [], ...others] = rows
  const rest = ' |'.repeat(width - head.length)
  const rule = `\n|${' --- |'.repeat(width)}`
  return [...line(head), rest, rule, ...others.flatMap((row) => ['\n', ...line(row)]), '\n']
}

/** A cell is one line without bars, except in code; a mention has one, so it becomes its text. */
function cellText(
  { elements, text, type, value }: v.InferOutput<typeof cell>,
  workspace: Workspace,
): Pieces {
  const pieces =
    type === 'rich_text' ? richText(elements, workspace) : [escaped(text || `${value}`)]
  return pieces.map((piece) => {
    const words = typeof piece === 'object' && 'person' in piece ? (piece.text ?? '') : piece
    if (typeof words !== 'string') return words
    const line = words.replace(/\s+/g, ' ')
    return line.trimStart().startsWith('`') ? line : line.replaceAll('|', '\\|')
  })
}

/** How deep the parts of a block are looked for. */
const deepest = 8
const labels = ['title', 'label', 'name', 'text']
const addresses = ['url', 'title_url', 'join_url', 'video_url', 'permalink', 'image_url']
const wordings = [...labels, 'description', 'alt_text', 'fallback', 'hint']

/** The texts and links of a block of an unknown kind, wherever they are in it. */
function wordsIn(source: unknown, people: People, depth = 0): Pieces[] {
  if (typeof source !== 'object' || source === null || depth > deepest) return []
  if (Array.isArray(source)) return source.flatMap((each) => wordsIn(each, people, depth + 1))
  const own = new Map<string, unknown>(Object.entries(source))
  const textOf = (name: string) => plainOf(v.parse(someText, own.get(name)))
  const address = addresses.find((name) => URL.canParse(textOf(name)))
  const label = labels.find((name) => textOf(name) !== '')
  const isPlain = own.get('type') === 'plain_text'
  const words = [...own].flatMap(([name, value]): Pieces[] => {
    if (address !== undefined && name === label) return []
    if (typeof value === 'object') return wordsIn(value, people, depth + 1)
    if (!wordings.includes(name)) return []
    return [isPlain ? [escaped(textOf(name))] : mrkdwn(textOf(name), people)]
  })
  return address === undefined ? words : [[link(textOf(address), textOf(label ?? ''))], ...words]
}
