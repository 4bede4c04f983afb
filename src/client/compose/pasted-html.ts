import { ownKindOf } from '#shared/own-html.ts'
import { readFormulas } from './pasted-formulas.ts'
import { styleOf, tidyLists, wordsOf } from './pasted-lists.ts'

/**
 * Makes the HTML of a clipboard what a writer of Markdown expects: lists, lines and marks as elements,
 * each mark around the words of one line. It changes the elements of a document without scripts.
 */

/** Elements without text for readers, such as what copies the code that stands beside it. */
const unread =
  'head, link, meta, noscript, pre button, script, select, style, template, title, [hidden], clipboard-copy, button[class*="copy" i], button[aria-label*="copy" i]'
const blocks =
  'address, article, aside, blockquote, center, dd, details, div, dl, dt, footer, h1, h2, h3, h4, h5, h6, header, hr, li, main, nav, ol, p, pre, section, summary, table, tbody, td, tfoot, th, thead, tr, ul'
const headings = 'h1, h2, h3, h4, h5, h6'
const breaks = `br, ${blocks}`

/** The elements that are written with the same marks. */
const sameMarks: readonly [name: string, others: string][] = [
  ['b', 'strong'],
  ['i', 'em'],
  ['s', 'del, strike'],
]

export function tidyPasted(body: HTMLElement): void {
  const restore = setAside(body)
  for (const element of body.querySelectorAll(unread)) element.remove()
  for (const element of body.querySelectorAll('[data-style]')) {
    if (/(?<![\w-])display:\s*none/i.test(styleOf(element))) element.remove()
  }
  removeChrome(body)
  tidyLists(body)
  readSlack(body)
  makeMarks(body)
  for (const [name] of sameMarks) {
    for (const mark of body.querySelectorAll(name)) spread(mark)
    for (const mark of body.querySelectorAll(name)) join(mark)
  }
  // From the inner ones, whose lines are those of the outer ones.
  for (const div of [...body.querySelectorAll('div')].reverse()) makeLines(div)
  const [heading, ...more] = body.querySelectorAll(headings)
  // A title that is copied alone is words.
  const isAlone = heading && more.length === 0 && wordsOf(heading) === wordsOf(body)
  if (isAlone && !heading.querySelector(asideName)) unwrap(heading)
  restore()
}

const asideName = 'data'

/**
 * Puts something else in the place of what the writer knows as it is, Parley's own HTML and formulas.
 *
 * @returns puts them back
 */
function setAside(body: HTMLElement): () => void {
  readFormulas(body)
  const aside: [own: Element, place: Element][] = []
  for (const own of body.querySelectorAll('[class], time, audio')) {
    const attribute = (name: string) => own.getAttribute(name) ?? ''
    if (!body.contains(own) || !ownKindOf(own.localName, attribute)) continue
    const place = own.ownerDocument.createElement(own.matches(blocks) ? 'section' : asideName)
    place.textContent = 'own'
    own.replaceWith(place)
    aside.push([own, place])
  }
  return () => {
    for (const [own, place] of aside) place.replaceWith(own)
  }
}

/** Removes what pages put beside headings and code: signs that link to a place in them, names of languages. */
function removeChrome(body: HTMLElement): void {
  for (const link of body.querySelectorAll('a[href*="#"]')) {
    if (!/[\p{L}\p{N}]/u.test(wordsOf(link)) && !link.querySelector('img')) link.remove()
  }
  for (const part of body.querySelectorAll('pre:has(code) div')) {
    if (!part.closest('code') && !part.querySelector('code')) part.remove()
  }
  for (const heading of body.querySelectorAll('a :is(h1, h2, h3, h4, h5, h6)')) unwrap(heading)
}

/**
 * Whether HTML is code with the colors of an editor, whose plain text has the indentation: nothing but
 * lines and colored words, in a box that keeps its blanks or without any other format.
 *
 * @param plain the plain text that was copied with it
 */
export function isFromCodeEditor(body: HTMLElement, plain: string): boolean {
  const first = body.firstElementChild
  if (!first || body.querySelector('[id^="docs-internal-guid"], [data-task-state]')) return false
  if (body.querySelector('*:not(br, div, font, meta, pre, span, style)')) return false
  const style = styleOf(first)
  const keepsBlanks = /white-space(?:-collapse)?:\s*(?:pre(?!-line)|break-spaces|preserve(?!-))/i
  if (/monospace|Menlo|Consolas|Courier/i.test(style) || keepsBlanks.test(style)) return true
  if (body.querySelector('pre')) return /font-family|background/i.test(style)
  const hasMarks = [...body.querySelectorAll('span')].some((span) => marksOf(span).length > 0)
  return !hasMarks || /^(?: {2}|\t)/m.test(plain)
}

/**
 * The code in HTML that has its lines in the rows of a table, beside their numbers, as GitHub, Gitea
 * and Sourcegraph write it; undefined for other HTML.
 */
export function codeInTable(body: HTMLElement): string | undefined {
  const table = body.querySelector('table')
  if (!table) return undefined
  const isAlone = [...body.childNodes].every((node) =>
    node instanceof Element
      ? node.contains(table) || node.matches(`br, ${unread}`)
      : !(node instanceof Text) || wordsOf(node) === '',
  )
  const rows = [...table.querySelectorAll('tr')]
  const numbered = '[data-line-number], [data-line]'
  const isCode = rows.every((row) => row.matches(numbered) || row.querySelector(numbered))
  if (!isAlone || rows.length === 0 || !isCode) return undefined
  return rows
    .map((row) => row.lastElementChild?.textContent?.replace(/(?<!\n)\n+$/, '') ?? '')
    .join('\n')
}

function unwrap(element: Element): void {
  element.replaceWith(...element.childNodes)
}

function rename(element: Element, name: string): void {
  const renamed = element.ownerDocument.createElement(name)
  renamed.append(...element.childNodes)
  element.replaceWith(renamed)
}

/** Slack has empty elements for paragraphs, and pictures for emoji. */
function readSlack(body: HTMLElement): void {
  for (const end of body.querySelectorAll('[data-stringify-type="paragraph-break"]')) {
    end.replaceWith(body.ownerDocument.createElement('br'), body.ownerDocument.createElement('br'))
  }
  for (const emoji of body.querySelectorAll('[data-stringify-emoji]')) {
    emoji.replaceWith(emoji.getAttribute('data-stringify-emoji') ?? '')
  }
}

function marksOf(element: Element): readonly string[] {
  const style = styleOf(element)
  const marks: string[] = []
  if (/font-weight:\s*(?:bold|[6-9]00)/i.test(style)) marks.push('b')
  if (/font-style:\s*(?:italic|oblique)/i.test(style)) marks.push('i')
  if (/text-decoration(?:-line)?:[^;:]*line-through/i.test(style)) marks.push('s')
  return marks
}

/** Makes marks of the styles of words, and leaves out the elements that only had these. */
function makeMarks(body: HTMLElement): void {
  for (const [name, others] of sameMarks) {
    for (const element of body.querySelectorAll(others)) rename(element, name)
  }
  // Documents of office programs put everything into a <b> that says it is not bold.
  for (const bold of body.querySelectorAll('b')) {
    if (/font-weight:\s*(?:normal|400)/i.test(styleOf(bold))) unwrap(bold)
  }
  for (const span of body.querySelectorAll('span, font')) {
    let inner: Element = span
    for (const name of marksOf(span)) {
      const mark = body.ownerDocument.createElement(name)
      mark.append(...inner.childNodes)
      inner.append(mark)
      inner = mark
    }
    unwrap(span)
  }
  body.normalize()
}

/** Moves a mark into the lines that it contains, and leaves out one that says nothing new. */
function spread(mark: Element): void {
  const { localName } = mark
  const around = mark.parentElement?.closest(localName === 'b' ? `b, ${headings}` : localName)
  const isCode = mark.closest('pre, code') !== null
  if (!around && !isCode && mark.querySelector(breaks)) markLines(mark, localName)
  else if (!around && !isCode && wordsOf(mark) !== '') return
  unwrap(mark)
}

function markLines(parent: Element, name: string): void {
  let line: ChildNode[] = []
  function end(): void {
    const [first] = line
    if (first && line.some((node) => wordsOf(node) !== '')) {
      const mark = parent.ownerDocument.createElement(name)
      first.before(mark)
      mark.append(...line)
    }
    line = []
  }
  for (const child of [...parent.childNodes]) {
    const isBreak = child instanceof Element && child.matches(breaks)
    if (child instanceof Element && (isBreak || child.querySelector(breaks))) {
      end()
      if (!child.matches('br, pre, code')) markLines(child, name)
    } else line.push(child)
  }
  end()
}

/** Makes one mark of those that follow each other without a blank. */
function join(mark: Element): void {
  if (!mark.parentNode) return
  let next = mark.nextSibling
  while (next instanceof Element && next.localName === mark.localName) {
    mark.append(...next.childNodes)
    next.remove()
    next = mark.nextSibling
  }
}

/** Puts the content of an element on lines of its own. */
function makeLines(div: Element): void {
  const [before, after] = [besideOf(div, 'previousSibling'), besideOf(div, 'nextSibling')]
  const last =
    div.lastChild && isBlank(div.lastChild)
      ? besideOf(div.lastChild, 'previousSibling')
      : div.lastChild
  const newLine = () => div.ownerDocument.createElement('br')
  if (before && !isBreak(before)) div.before(newLine())
  if (after && last && !isBreak(last)) div.after(newLine())
  unwrap(div)
}

function besideOf(node: ChildNode, side: 'previousSibling' | 'nextSibling'): ChildNode | null {
  let beside = node[side]
  while (beside && isBlank(beside)) beside = beside[side]
  return beside
}

const isBlank = (node: ChildNode) => !(node instanceof Element) && wordsOf(node) === ''

const isBreak = (node: ChildNode) => node instanceof Element && node.matches(breaks)
