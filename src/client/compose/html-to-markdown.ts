import { parseInert } from '#client/messages/inert-html.ts'
import { createMarkdownWriter, type MarkdownWriter } from '#shared/markdown-writer.ts'
import { codeInTable, isFromCodeEditor, tidyPasted } from './pasted-html.ts'

/**
 * Pasted HTML as Markdown. Undefined if it contains no more than its plain text.
 *
 * @param plain the plain text that was copied with it
 */
export function htmlToMarkdown(html: string, plain: string): string | undefined {
  const { body } = parseInert(html)
  // Code editors copy each token in a span of its own: only the plain text matters.
  if (isFromCodeEditor(body, plain)) return undefined
  const code = codeInTable(body)
  if (code !== undefined) return code === plain ? undefined : code
  tidyPasted(body)
  const writer = createMarkdownWriter({ bullet: '-', isRich: true })
  write(body, writer)
  const markdown = writer.finish()
  if (markdown === '' || markdown === plain.trim()) return undefined
  // The blanks of the plain text are those of its author, but for lists.
  const isList = /^[ \t]*(?:-|\d+\.) /m.test(markdown)
  return !isList && withoutBlanks(markdown) === withoutBlanks(plain) ? undefined : markdown
}

const withoutBlanks = (text: string) => text.replace(/\s+/g, '')

/** Writes the contents of an element. Browsers limit how deeply elements nest. */
function write(element: Element, writer: MarkdownWriter): void {
  for (const child of element.childNodes) {
    if (child instanceof Text) writer.text(child.data)
    if (!(child instanceof Element)) continue
    // `parseInert` renames the attribute of styles.
    writer.open(
      child.localName,
      (name) => child.getAttribute(name === 'style' ? 'data-style' : name) ?? '',
    )
    write(child, writer)
    writer.close()
  }
}
