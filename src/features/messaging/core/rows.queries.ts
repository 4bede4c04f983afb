import type { messages } from '#platform/store/schema.ts'

type Row = typeof messages.$inferSelect

/** A message, with what its row leaves out (`expand`). */
export interface Message extends Omit<Row, 'renderedContent'> {
  renderedContent: string
}

/** The HTML of most messages, which need not be stored beside their contents. */
function paragraph(content: string): string {
  return `<p>${content}</p>`
}

/** The HTML of a message as its row has it: null if it follows from the content. */
export function storedHtml(content: string, html: string): string | null {
  const isParagraph = html.length === paragraph('').length + content.length
  return isParagraph && html === paragraph(content) ? null : html
}

/** The number of bytes of the HTML of a row of `messages`, in SQL; its text is not read. */
export const htmlBytes = `coalesce(octet_length(rendered_content), octet_length(content) + ${
  paragraph('').length
})`

/** The message in a row. */
export function expand(row: Row): Message {
  return { ...row, renderedContent: row.renderedContent ?? paragraph(row.content) }
}
