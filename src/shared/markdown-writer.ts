import {
  type Attribute,
  addCell,
  addItem,
  addRow,
  type Frame,
  isInline,
  newFrame,
  type Table,
  verbatims,
} from './markdown-frames.ts'
import {
  alignmentOf,
  block,
  code,
  fenced,
  indented,
  link,
  marked,
  oneBlank,
  oneLine,
  tableOf,
  tidy,
} from './markdown-pieces.ts'
import { isOwnAddress, type OwnKind, ownKindOf, ownMarkdown } from './own-html.ts'

/**
 * Writes Markdown from the elements and texts of a document, in order. It has one frame for each
 * open element, and needs no tree: a few kilobytes of hostile HTML can make one of millions of
 * elements. Its time is linear in the length of the texts if the nesting is limited, which the
 * caller ensures, who also leaves out what readers cannot see.
 */
export interface MarkdownWriter {
  /**
   * Begins an element. An element that Markdown does not have is replaced by its contents.
   *
   * @param tag in lower case
   * @param attribute its attributes; '' for those that it does not have
   */
  open(tag: string, attribute?: Attribute): void
  /** Ends the element that was begun last. Elements without contents, such as `br`, end as well. */
  close(): void
  /** Adds text with the white space of HTML, where a run counts as one space. */
  text(text: string): void
  /** Ends all open elements. @returns everything that was written */
  finish(): string
}

/** Options of a writer. */
export interface MarkdownStyle {
  /** Escapes a text outside code. */
  readonly plain?: (text: string) => string
  /** What an item begins with, in a list without numbers. */
  readonly bullet?: '*' | '-'
  /**
   * Whether headings, tables and pictures stay what they are. Otherwise headings are bold lines,
   * tables have a line for each row, and pictures are left out. What is Parley's own HTML becomes
   * what it was written as, such as mentions, which nobody may send by mail.
   */
  readonly isRich?: boolean
  /** Whether to write plain text: marks of lists and quotes stay, all others are left out. */
  readonly isPlain?: boolean
}

/** Lines between marks. Only the last step knows how long the marks have to be. */
interface Fence {
  text: string
  readonly info: string
  /** Whether the lines are Markdown as well. */
  readonly isText: boolean
}

const paragraphs = new Set(
  `p div section article aside nav header footer main figure figcaption table form fieldset dl dt dd
  details summary address center caption blockquote ul ol`.split(/\s+/),
)
/** Deeper lists and quotes are written as paragraphs: each level goes over its lines again. */
const mostNested = 8

export function createMarkdownWriter(style?: MarkdownStyle): MarkdownWriter {
  return new FrameWriter(style)
}

class FrameWriter implements MarkdownWriter {
  readonly #bullet: '*' | '-'
  readonly #isRich: boolean
  readonly #isPlain: boolean
  readonly #plain: (text: string) => string
  readonly #root = newFrame('')
  readonly #open: Frame[] = [this.#root]
  /**
   * Blocks of code, and others between marks. Each is represented by a line with its number between
   * NULs, which `text` never writes.
   */
  readonly #fences: Fence[] = []
  /** How many elements are open whose text stays as it is. */
  #verbatim = 0
  #nested = 0
  /** How many formulas are open: only their source is read. */
  #formulas = 0
  /** Where links and pictures lead to so far: previews of them are no news. */
  readonly #linked = new Set<string>()

  constructor(style: MarkdownStyle = {}) {
    const { bullet = '*', isRich = false, isPlain = false, plain = (text: string) => text } = style
    this.#bullet = bullet
    this.#isRich = isRich
    this.#isPlain = isPlain
    this.#plain = plain
  }

  open(tag: string, attribute?: Attribute): void {
    const mayNest = this.#verbatim === 0 && this.#nested < mostNested
    const isOwn = (this.#isRich || this.#isPlain) && this.#verbatim === 0 && attribute
    const frame = newFrame(tag, attribute, mayNest, isOwn ? ownKindOf(tag, attribute) : undefined)
    this.#count(frame, 1)
    const table = tag === 'tr' && this.#tableAround()
    if (table) addRow(table)
    if (tag === 'code') {
      const around = this.#open.findLast((other) => other.tag === 'pre')
      if (around) around.language ||= frame.language
    }
    const { own, language } = this.#innermost()
    if (tag === 'pre' && own === 'code') frame.language ||= language
    this.#open.push(frame)
  }

  close(): void {
    if (this.#open.length === 1) return
    const frame = this.#open.pop() ?? this.#root
    this.#count(frame, -1)
    const made = this.#verbatim > 0 ? frame.content : this.#written(frame)
    const parent = this.#innermost()
    if (frame.tag === 'p' && made !== '') parent.paragraphs++
    parent.isLoose ||= frame.isList && frame.isLoose
    if (!parent.isList) parent.content += made
    else if (frame.tag === 'li' || made.trim() !== '') addItem(parent, frame, made, this.#bullet)
  }

  text(text: string): void {
    const frame = this.#innermost()
    // Between items, lists have only the white space of the source.
    if (frame.isList || (this.#formulas > 0 && frame.tag !== 'annotation')) return
    frame.content += this.#verbatim > 0 ? text.replaceAll('\0', '') : this.#plain(oneBlank(text))
  }

  finish(): string {
    while (this.#open.length > 1) this.close()
    const text = tidy(this.#root.content)
    this.#root.content = ''
    return this.#withFences(text)
  }

  #count({ tag, own, isList, isQuote }: Frame, by: 1 | -1): void {
    if (verbatims.has(tag) || own === 'formula' || own === 'error') this.#verbatim += by
    if (own === 'formula') this.#formulas += by
    if (isList || isQuote || own === 'spoiler') this.#nested += by
  }

  #withFences(text: string): string {
    return text.replace(/^([^\0\n\r\u2028\u2029]*)\0(\d+)\0/gm, (_, prefix: string, i: string) => {
      const { text: lines = '', info = '', isText = false } = this.#fences[Number(i)] ?? {}
      const inner = isText ? this.#withFences(lines) : lines
      return this.#isPlain ? indented(inner, prefix) : fenced(inner, info, prefix)
    })
  }

  #innermost() {
    return this.#open.at(-1) ?? this.#root
  }

  #tableAround() {
    return this.#open.findLast(({ table }) => table)?.table
  }

  #written(frame: Frame): string {
    const { tag, content, mark } = frame
    const own = frame.own && this.#ownText(frame, frame.own)
    if (own !== undefined) return own
    if (this.#isPlain && isInline(frame)) return content
    if (mark) return marked(content, mark)
    if (/^h[1-6]$/.test(tag)) return block(this.#heading(tag, content))
    if (frame.isQuote) return block(tidy(content).replace(/^/gm, '> '))
    if (frame.table) return block(this.#writtenTable(frame.table, content))
    if (tag === 'caption') return block(this.#caption(content))
    if (paragraphs.has(tag)) return block(content)
    switch (tag) {
      case 'hr':
        return block('---')
      case 'a':
        return this.#link(frame)
      case 'img':
        return this.#picture(frame)
      case 'pre':
        return block(this.#fence(content.replace(/^\n+/, '').trimEnd(), frame.language))
      case 'code':
      case 'tt':
      case 'kbd':
      case 'samp':
        return code(oneBlank(content))
      case 'td':
      case 'th':
        return this.#cell(frame)
      case 'li':
        // An item that is in no list is a line.
        return this.#innermost().isList ? content : `\n${content.trim()}\n`
      case 'tr':
        return content.includes('\n\n') ? block(content) : `${oneLine(content)}\n`
      default:
        return content
    }
  }

  #heading(tag: string, content: string): string {
    if (this.#isPlain) return content
    if (!this.#isRich) return marked(content, '**')
    const words = oneLine(content)
    return words === '' ? '' : `${'#'.repeat(Number(tag[1]))} ${words}`
  }

  /** What an element of Parley's HTML was written as; undefined: what its contents are. */
  #ownText({ attribute, content, language }: Frame, own: OwnKind): string | undefined {
    const around = this.#innermost()
    switch (own) {
      case 'formula':
        if (this.#isPlain) return content
        return around.own === 'formulas' ? block(this.#formula(content.trim())) : `$$${content}$$`
      case 'error':
        return content.startsWith('$$') ? content : block(this.#formula(content.trim()))
      case 'spoiler-head':
        if (this.#isPlain || around.own !== 'spoiler') return block(content)
        around.language = attribute('data-source') === 'none' ? '' : oneLine(content)
        return ''
      case 'spoiler':
        if (this.#isPlain) return block(content)
        return block(this.#fence(tidy(content), `spoiler ${language}`.trim(), true))
      case 'preview':
        return this.#isPlain || /^\s*$/.test(content) ? '' : content
      default:
        return this.#isPlain && own !== 'card' ? undefined : ownMarkdown(own, attribute, content)
    }
  }

  /** Formulas after each other are one block, as they are one paragraph. */
  #formula(text: string): string {
    const paragraph = this.#open.at(-2)
    const before = /\0(\d+)\0\s*$/.exec(paragraph?.content ?? '')
    const fence = before && this.#fences[Number(before[1])]
    if (fence?.info !== 'math' || paragraph?.tag !== 'p') return this.#fence(text, 'math')
    fence.text += `\n\n${text}`
    return ''
  }

  #fence(text: string, info: string, isText = false): string {
    const table = this.#tableAround()
    if (table) table.isLayout = true
    this.#fences.push({ text, info, isText })
    return `\0${this.#fences.length - 1}\0`
  }

  #link({ attribute, content }: Frame): string {
    const href = attribute('href')
    if (this.#innermost().own === 'preview') {
      const isKnown = this.#linked.has(href)
      const name = attribute('title') || href.replace(/^.*\/(?=[^/])/, '')
      return isKnown ? '' : block(link(isOwnAddress(href) ? name : href, href, true))
    }
    this.#linked.add(href)
    return link(content, href, this.#isRich, attribute('data-title'))
  }

  #picture({ attribute }: Frame): string {
    const [name, source] = [attribute('alt'), attribute('src')]
    if (this.#isPlain) return name
    if (!this.#isRich) return ''
    // A picture of an emoji becomes the emoji.
    const isEmoji = /(?:^|\s)emoji(?:\s|$)/.test(attribute('class')) || /^:\w+:$/.test(name)
    // A link inside a link is none.
    if (isEmoji || this.#open.some(({ tag }) => tag === 'a')) return name
    return /^https?:/i.test(source) ? link(oneLine(name) || source, source) : ''
  }

  #caption(content: string): string {
    const table = this.#tableAround()
    if (table) table.caption = oneLine(content)
    return content
  }

  /** @returns the cell, followed by a space unless it has blocks */
  #cell({ attribute, content }: Frame): string {
    const table = this.#tableAround()
    if ((this.#isRich || this.#isPlain) && table) {
      const style = attribute('style') || `text-align: ${attribute('align')}`
      addCell(table, oneLine(content), alignmentOf(style), attribute)
    }
    const words = content.trim()
    return table?.isLayout || words.includes('\n\n') ? block(words) : `${words} `
  }

  #writtenTable({ caption, isLayout, rows, alignments }: Table, content: string): string {
    const outer = this.#tableAround()
    if (outer) outer.isLayout = true
    const isTable = !isLayout && rows.some(({ length }) => length > 1)
    if (!isTable) return content
    // Spreadsheets read tabs.
    const lines = this.#isPlain
      ? rows.map((cells) => cells.join('\t')).join('\n')
      : tableOf(rows, alignments)
    return `${caption}\n\n${lines}`
  }
}
