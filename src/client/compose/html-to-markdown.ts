import { parseInert } from '#client/messages/message-html.ts'
import { createMarkdownWriter, type MarkdownWriter } from '#shared/markdown-writer.ts'

/** Elements without text for readers. */
const skipped = new Set('head link meta noscript script style template title'.split(' '))

/**
 * Pasted HTML as Markdown. Undefined if it contains no more than its plain text.
 *
 * @param plain the plain text that was copied with it
 */
export function htmlToMarkdown(html: string, plain: string): string | undefined {
  const { body } = parseInert(html)
  // Code editors copy each token in a span of its own: only the plain text matters.
  if (isFromCodeEditor(body)) return undefined
  const writer = createMarkdownWriter({ bullet: '-', isRich: true })
  write(body, writer)
  const markdown = writer.finish()
  return markdown === '' || markdown === plain.trim() ? undefined : markdown
}

function isFromCodeEditor(body: HTMLElement): boolean {
  const first = body.firstElementChild
  return /monospace|Menlo|Consolas|Courier/i.test(first?.getAttribute('data-style') ?? '')
}

/** Writes the contents of an element. Browsers limit how deeply elements nest. */
function write(element: Element, writer: MarkdownWriter): void {
  for (const child of element.childNodes) {
    if (child instanceof Text) writer.text(child.data)
    if (!(child instanceof Element) || skipped.has(child.localName)) continue
    // `parseInert` renames the attribute of styles.
    writer.open(
      child.localName,
      (name) => child.getAttribute(name === 'style' ? 'data-style' : name) ?? '',
    )
    write(child, writer)
    writer.close()
  }
}
