import { Marked, type Tokens } from 'marked'
import { anchorOf, plain } from './anchors.ts'

/** A part of a page under a heading, for the search. */
export interface HelpPart {
  /** The heading; the page's title for what comes before the first. */
  readonly heading: string
  /** What follows `#` in the address; empty for the top. */
  readonly anchor: string
  /** 2 for a section, 3 for one within it; 1 for the page. */
  readonly depth: number
  readonly text: string
}

/** A page of the help centre. */
export interface HelpPage {
  /** Such as `people/topics`. */
  readonly path: string
  readonly title: string
  /** HTML below the title. */
  readonly html: string
  readonly parts: readonly HelpPart[]
}

/**
 * Renders a page. Its text is ours, so its HTML is not checked.
 *
 * @param source Markdown that begins with `# Title`; links to other pages are relative, `../bots/events.md`
 * @throws Error it has no title
 */
export function renderHelp(path: string, source: string): HelpPage {
  const [first = '', ...lines] = source.split('\n')
  const title = /^# (.+)$/.exec(first)?.[1]
  if (title === undefined) throw new Error(`${path}.md does not begin with its title.`)
  const markdown = lines.join('\n').replaceAll(/^<!-- .* -->$/gm, '')
  const taken = new Set<string>()
  const parts: { heading: string; anchor: string; depth: number; text: string }[] = [
    { heading: title, anchor: '', depth: 1, text: '' },
  ]
  const marked = new Marked({
    renderer: {
      heading({ depth, tokens }: Tokens.Heading) {
        const anchor = parts.at(-1)?.anchor
        return `<h${depth} id="${anchor}"><a href="#${anchor}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        return `<a href="${escaped(addressOf(path, href))}">${this.parser.parseInline(tokens)}</a>`
      },
      table(token: Tokens.Table) {
        const cells = (row: Tokens.TableCell[], tag: string) =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')
        return `<div class="wide" tabindex="0" role="region" aria-label="Table"><table><thead><tr>${cells(token.header, 'th')}</tr></thead>\n<tbody>${rows}</tbody></table></div>\n`
      },
    },
  })
  // The texts are collected part by part, so that a found word leads to its heading.
  const html = splitAtHeadings(markdown)
    .map((piece) => {
      const tokens = marked.lexer(piece)
      const [first] = tokens
      if (first?.type === 'heading') {
        const { depth, text } = first as Tokens.Heading
        parts.push({ heading: plain(text), anchor: anchorOf(text, taken), depth, text: '' })
      }
      marked.walkTokens(first?.type === 'heading' ? tokens.slice(1) : tokens, (token) => {
        const part = parts.at(-1)
        if (part && 'text' in token && !('tokens' in token) && textTokens.has(token.type))
          part.text += `${token.text} `
      })
      return marked.parser(tokens)
    })
    .join('')
  return {
    path,
    title,
    html,
    parts: parts.map((part) => ({
      ...part,
      text: plain(part.text)
        .replace(/\s+/g, ' ')
        .replace(/ (?=[.,;:!?)])/g, '')
        .trim(),
    })),
  }
}

/** The tokens that contain text themselves. */
const textTokens: ReadonlySet<string> = new Set(['text', 'codespan', 'code'])

/** Markdown in pieces that each begin with a heading, except the first; fences are not split. */
function splitAtHeadings(markdown: string): string[] {
  const pieces: string[][] = [[]]
  let isInFence = false
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isInFence = !isInFence
    if (!isInFence && /^#{2,} /.test(line)) pieces.push([])
    pieces.at(-1)?.push(line)
  }
  return pieces.map((lines) => lines.join('\n'))
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** The address of a link: pages are at their paths below `/help/`, pictures too. */
function addressOf(from: string, href: string): string {
  if (!/^(\.\.?\/)?[\w./-]+\.md(#.*)?$/.test(href)) return href
  const [file = '', anchor] = href.split('#')
  const { pathname } = new URL(file, `https://help.invalid/${from}`)
  return `/help${pathname.replace(/\.md$/, '')}${anchor ? `#${anchor}` : ''}`
}
