import { findAutolinks, renderAutolink } from './autolinks.ts'
import { channelLinkAt } from './channel-links.ts'
import { codeClosers } from './code-spans.ts'
import type { Context } from './context.ts'
import { atom, emphasize, lineBreak, type Piece, star, tilde } from './emphasis.ts'
import { escapeHtml } from './escape.ts'
import type { MarkdownConstruct } from './found.ts'
import { type Brackets, bracketsOf, linkAt } from './link-syntax.ts'
import { mathAt } from './math.ts'
import { mentionAt } from './mentions.ts'
import { renderPlain } from './plain.ts'
import { timeAt } from './times.ts'

const special = /[`$@#<[!*~\n]/g
const anySpecial = /[`$@#<[!*~\n]/

/**
 * Renders the inline content of a block. If constructs overlap, the one that starts first wins,
 * except that emphasis never splits another construct.
 *
 * @param inLink whether this is the text of a link, in which nothing else links or mentions
 */
export function renderInline(source: string, context: Context, inLink = false): string {
  const autolinks = inLink ? [] : findAutolinks(source)
  if (autolinks.length === 0 && !anySpecial.test(source)) {
    return renderPlain(source, 0, source.length, context, inLink)
  }
  const pieces: Piece[] = []
  const codes = codeClosers(source)
  let brackets: Brackets | undefined
  let plainFrom = 0
  const addPlain = (end: number) => {
    if (end === plainFrom) return
    const html = renderPlain(source, plainFrom, end, context, inLink)
    pieces.push(atom(html, isSpace(source[plainFrom]), isSpace(source[end - 1])))
  }
  const findAt = (at: number): MarkdownConstruct | undefined => {
    const char = source[at]
    if (char === '`') return codeAt(source, at, codes, context)
    if (char === '$') return mathAt(source, at, context)
    if (char === '<') return timeAt(source, at, context)
    if (inLink) return undefined
    if (char === '@') return mentionAt(source, at, context)
    if (char === '#') return channelLinkAt(source, at, context)
    brackets ??= bracketsOf(source, codes)
    return linkAt(source, at, brackets, context, (label) => renderInline(label, context, true))
  }

  let nextLink = 0
  let at = 0
  while (at < source.length) {
    special.lastIndex = at
    const next = special.exec(source)?.index ?? source.length
    while ((autolinks[nextLink]?.start ?? next) < at) nextLink++
    const link = autolinks[nextLink]
    const found = link && link.start < next ? renderAutolink(link, source, context) : undefined
    at = link && found ? link.start : next
    if (at === source.length) break
    const mark = source[at]
    if (!found && (mark === '\n' || mark === '*' || mark === '~')) {
      addPlain(at)
      pieces.push(mark === '\n' ? lineBreak : mark === '*' ? star : tilde)
      if (mark === '\n') context.text.push('\n')
      at++
      plainFrom = at
      continue
    }
    const construct = found ?? findAt(at)
    if (construct) {
      addPlain(at)
      pieces.push(atom(construct.render()))
      at = construct.end
      plainFrom = at
    } else {
      at = mark === '`' ? endOfRun(source, at) : at + 1
    }
  }
  addPlain(source.length)
  return emphasize(pieces)
}

function codeAt(
  source: string,
  at: number,
  closers: Map<number, number>,
  context: Context,
): MarkdownConstruct | undefined {
  const end = closers.get(at)
  if (end === undefined) return undefined
  const marks = endOfRun(source, at) - at
  return {
    end,
    render() {
      const code = source.slice(at + marks, end - marks)
      context.text.push(' ', code, ' ')
      return `<code>${escapeHtml(code)}</code>`
    },
  }
}

function endOfRun(source: string, at: number): number {
  let end = at
  while (source[end] === source[at]) end++
  return end
}

function isSpace(char: string | undefined): boolean {
  return char !== undefined && char.trim() === ''
}
