import type { Editor } from './editor.ts'
import { type Edit, insertion, type SelectedText } from './text-edits.ts'

/**
 * Pastes what plain text cannot say: files, HTML as Markdown, and an address as the link of the
 * selected text. The browser pastes everything else.
 */
export function paste(
  event: ClipboardEvent,
  editor: Editor | undefined,
  addFiles: (files: FileList) => void,
): void {
  const data = event.clipboardData
  if (!data || !editor) return
  const html = data.getData('text/html')
  const plain = data.getData('text/plain')
  if (data.files.length > 0 && plain === '') {
    event.preventDefault()
    addFiles(data.files)
  } else if (editor.change((selected) => pastedLink(selected, plain))) event.preventDefault()
  else if (html !== '') {
    event.preventDefault()
    void pasteHtml(editor, html, plain)
  }
}

/** Makes the selected text a link, as in other editors. */
function pastedLink({ text, start, end }: SelectedText, url: string): Edit | undefined {
  if (start === end || !isUrl(url)) return undefined
  const label = text.slice(start, end)
  const insert = isUrl(label) ? url : `[${label}](${url})`
  const at = start + insert.length
  return { from: start, to: end, insert, start: at, end: at }
}

async function pasteHtml(editor: Editor, html: string, plain: string): Promise<void> {
  let markdown: string | undefined
  try {
    const { htmlToMarkdown } = await import('./html-to-markdown.ts')
    markdown = htmlToMarkdown(html, plain)
  } catch {
    // Without the converter, the plain text is pasted.
  }
  editor.change((selected) => insertion(selected, markdown ?? plain))
}

function isUrl(text: string): boolean {
  return /^https?:\/\/\S+$/.test(text.trim())
}
