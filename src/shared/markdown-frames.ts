import { tidy } from './markdown-pieces.ts'
import { languageWord, type OwnKind } from './own-html.ts'

/* The open elements of a document from which Markdown is written. */

export type Attribute = (name: string) => string

export interface Frame {
  readonly tag: string
  readonly attribute: Attribute
  /** What it contains so far, as Markdown. */
  content: string
  /** The marks around its words; '' for most elements. */
  readonly mark: string
  /** The number of the next item, in a list with numbers. */
  number: number
  /** Whether it is a list, with items. Elsewhere items are paragraphs. */
  readonly isList: boolean
  readonly isQuote: boolean
  readonly table: Table | undefined
  /** The programming language of a block of code, the words over a spoiler. */
  language: string
  /** What it is in Parley's HTML. */
  readonly own: OwnKind | undefined
  /** How many paragraphs are directly in it. */
  paragraphs: number
  /** Whether blank lines in it, as a list or an item, say where paragraphs end. */
  isLoose: boolean
  /** Whether the last item of a list has paragraphs. */
  isLastLoose: boolean
}

export interface Table {
  caption: string
  readonly rows: string[][]
  /** The dashes below the columns. */
  readonly alignments: string[]
  /** Whether it only arranges blocks on a page. */
  isLayout: boolean
  /** Where the next cell of the row begins. */
  column: number
  /** How many rows a cell above reaches further down, by column. */
  readonly reaching: number[]
  /** How many places its cells may still take beside and below their own. */
  mergeable: number
}

const newTable = (): Table => ({
  caption: '',
  rows: [],
  alignments: [],
  isLayout: false,
  column: 0,
  reaching: [],
  mergeable: 100,
})

/** No table for people has more merged places, in a cell and for each cell: a few words would fill pages. */
const mostMerged = { inOne: 100, each: 10 } as const

/** Adds a cell to the last row of a table, below and beside those that reach over several. */
export function addCell(table: Table, text: string, alignment: string, attribute: Attribute): void {
  const { rows, alignments, reaching } = table
  const row = rows.at(-1)
  if (!row) return
  passReaching(table)
  while (row.length < table.column) row.push('')
  if (rows.length === 1) alignments[table.column] = alignment
  row.push(text)
  let [across, down] = [spanOf(attribute('colspan')), spanOf(attribute('rowspan'))]
  table.mergeable += mostMerged.each
  if (across * down > table.mergeable) [across, down] = [1, 1]
  table.mergeable -= across * down
  for (; across > 0; across--) reaching[table.column++] = down - 1
}

/** Begins a row of a table. */
export function addRow(table: Table): void {
  // What reaches down at the end of the row before has no cell after it.
  for (let at = table.column; at < table.reaching.length; at++) takeOne(table.reaching, at)
  while (table.reaching.at(-1) === 0) table.reaching.pop()
  table.column = 0
  table.rows.push([])
}

function passReaching(table: Table): void {
  while (takeOne(table.reaching, table.column)) table.column++
}

/** @returns whether a cell above reached into the row in this column */
function takeOne(reaching: number[], column: number): boolean {
  const left = reaching[column] ?? 0
  if (left > 0) reaching[column] = left - 1
  return left > 0
}

const spanOf = (said: string) =>
  Math.min(Math.max(Number.parseInt(said || '1', 10) || 1, 1), mostMerged.inOne)

export const verbatims = new Set(['pre', 'code', 'tt', 'kbd', 'samp'])
const marks: Readonly<Record<string, string>> = {
  strong: '**',
  b: '**',
  em: '*',
  i: '*',
  del: '~~',
  s: '~~',
  strike: '~~',
}
/** Elements within a line, whose marks plain text does not have. */
export function isInline({ tag, mark }: Frame): boolean {
  return mark !== '' || tag === 'a' || (verbatims.has(tag) && tag !== 'pre')
}

export function newFrame(
  tag: string,
  attribute: Attribute = () => '',
  mayNest = false,
  own?: OwnKind,
): Frame {
  return {
    tag,
    own,
    paragraphs: 0,
    isLoose: false,
    isLastLoose: false,
    attribute,
    content: tag === 'br' ? '\n' : '',
    mark: markOf(tag, attribute),
    number: tag === 'ol' ? Number.parseInt(attribute('start') || '1', 10) || 1 : 1,
    isList: mayNest && (tag === 'ul' || tag === 'ol' || tag === 'menu'),
    isQuote: mayNest && tag === 'blockquote',
    table: tag === 'table' ? newTable() : undefined,
    language: languageIn(tag, attribute, own),
  }
}

function markOf(tag: string, attribute: Attribute): string {
  // Documents of office programs put everything into a <b> that says it is not bold.
  if (tag === 'b') return /font-weight:\s*normal/i.test(attribute('style')) ? '' : '**'
  if (tag !== 'span') return marks[tag] ?? ''
  const style = attribute('style')
  const bold = /font-weight:\s*(?:bold|[6-9]00)/i.test(style) ? '**' : ''
  return /font-style:\s*italic/i.test(style) ? `${bold}*` : bold
}

function languageIn(tag: string, attribute: Attribute, own: OwnKind | undefined): string {
  if (own === 'code') return languageWord(attribute('data-code-language'))
  return tag === 'pre' || tag === 'code' ? languageOf(attribute('class')) : ''
}

function languageOf(classes: string): string {
  return /\b(?:language|lang|highlight-source)-([\w+#-]{1,40})/.exec(classes)?.[1] ?? ''
}

/**
 * Adds an element of a list: an item, or a list beside the items, whose lines continue the item
 * before.
 */
export function addItem(list: Frame, child: Frame, made: string, bullet: string): void {
  const isContinued = child.isList && list.content !== ''
  const sign = list.tag === 'ol' ? `${list.number}. ` : `${bullet} `
  if (!isContinued) list.number++
  const isOwnLoose = child.paragraphs > 1 || child.attribute('data-loose') !== ''
  const text = tidy(made)
  const kept = isOwnLoose ? text : text.replace(beforeList, '$1\n')
  const [first = '', ...rest] = kept.split('\n')
  const lines = [
    `${isContinued ? '  ' : sign}${first}`,
    ...rest
      .filter((line) => isOwnLoose || child.isLoose || line !== '')
      .map((line) => (line === '' ? '' : `  ${line}`)),
  ]
  const between = isOwnLoose && list.isLastLoose ? '\n\n' : '\n'
  list.content += `${list.content === '' ? '' : between}${lines.join('\n')}`
  list.isLastLoose = isOwnLoose
  list.isLoose ||= isOwnLoose || child.isLoose
}

/** The blank line between the text of an item and a list in it. */
const beforeList = /^([^\n]+(?:\n[^\n]+)*)\n\n(?=(?:[-*]|\d+\.) )/
