import type { Context } from './context.ts'
import { decodeEntities, escapeHtml } from './escape.ts'
import type { MarkdownConstruct } from './found.ts'
import { safeHref } from './hrefs.ts'
import { mediaRenderer } from './previews.ts'
import { renderLinkTo } from './rendered-links.ts'

/** Maps the position of each opening bracket or parenthesis to the closing one. */
export type Brackets = Map<number, number>

/** How deep parentheses are paired: each pair could be parsed as a link target. */
const maxRound = 20

/** Pairs the brackets of a text, and the parentheses within each line, outside code. */
export function bracketsOf(source: string, codes: Map<number, number>): Brackets {
  const pairs: Brackets = new Map()
  if (!source.includes('](')) return pairs
  const square: number[] = []
  let round: number[] = []
  for (let at = 0; at < source.length; at++) {
    switch (source[at]) {
      case '`':
        at = (codes.get(at) ?? at + 1) - 1
        break
      case '[':
        square.push(at)
        break
      case ']':
        close(pairs, square, at)
        break
      case '(':
        if (round.length < maxRound) round.push(at)
        break
      case ')':
        close(pairs, round, at)
        break
      case '\n':
        round = []
    }
  }
  return pairs
}

function close(pairs: Brackets, open: number[], at: number): void {
  const opened = open.pop()
  if (opened !== undefined) pairs.set(opened, at)
}

/**
 * A link or, after `!`, an uploaded image or audio file.
 *
 * @param renderLabel renders the text of a link
 */
export function linkAt(
  source: string,
  at: number,
  brackets: Brackets,
  context: Context,
  renderLabel: (label: string) => string,
): MarkdownConstruct | undefined {
  const media = source[at] === '!'
  const open = media ? at + 1 : at
  if (source[open] !== '[') return undefined
  const labelEnd = brackets.get(open)
  if (labelEnd === undefined || source[labelEnd + 1] !== '(') return undefined
  const close = brackets.get(labelEnd + 1)
  if (close === undefined) return undefined
  const target = targetOf(source.slice(labelEnd + 2, close))
  const href = safeHref(target.address, context.lookups.realmUrl)
  if (href === undefined) return undefined
  const label = source.slice(open + 1, labelEnd)
  const end = close + 1
  if (media) {
    const render = mediaRenderer(href, label, context)
    return render && { end, render }
  }
  return {
    end,
    render() {
      const shown = label.trim() === '' ? undefined : label
      if (shown === undefined) context.text.push(target.address)
      const html = shown ? renderLabel(shown) : escapeHtml(target.address)
      return renderLinkTo(href, html, shown, target.title, context)
    },
  }
}

/** Parses the content of the parentheses: a URL, optionally in `<>`, and an optional title. */
function targetOf(text: string): { address: string; title: string | undefined } {
  let address = text.trim()
  let title: string | undefined
  const quote = address.at(-1)
  if (quote === '"' || quote === "'") {
    const opened = address.indexOf(` ${quote}`)
    if (opened !== -1 && opened < address.length - 2) {
      title = address.slice(opened + 2, -1)
      address = address.slice(0, opened).trim()
    }
  }
  if (address.startsWith('<') && address.endsWith('>')) address = address.slice(1, -1)
  return { address: decodeEntities(address), title }
}
