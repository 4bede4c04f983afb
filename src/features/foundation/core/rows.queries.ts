import type { messages } from '#platform/store/schema.ts'
import type { Read } from '#platform/store/store.ts'
import { clientName } from './clients.queries.ts'

type Row = typeof messages.$inferSelect

/** A message, with what its row leaves out (`expand`). */
export interface Message extends Omit<Row, 'client' | 'renderedContent'> {
  renderedContent: string
  /** The name of the client that sent it. */
  client: string
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

/** The message in a row. Leaves nothing out of it: that takes six times as long. */
export function expand(read: Read, row: Row): Message {
  return {
    ...row,
    renderedContent: row.renderedContent ?? paragraph(row.content),
    client: clientName(read, row),
  }
}
