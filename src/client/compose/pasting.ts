import type { App } from '#client/app.ts'
import { parseInert } from '#client/messages/inert-html.ts'
import { isFinishing } from '#client/ui/finishing.ts'
import { t } from '#client/ui/t.ts'
import type { Editor } from './editor.ts'
import { draftText, editedText, followPart, type LaterText } from './later-text.ts'
import { type Surroundings, surroundings } from './surroundings.ts'
import { type Edit, insertion, replacement, type SelectedText } from './text-edits.ts'

/** What a paste acts on. */
export interface PasteInto {
  readonly app: App
  readonly editor: Editor | undefined
  readonly addFiles: (files: Iterable<File>) => void
  /** The last key that went down in the box: in Firefox, what Ctrl+Shift+V pastes has its formats as well. */
  readonly lastKey: KeyboardEvent | undefined
  /** The message that is being edited; undefined in the compose box. */
  readonly editedId: number | undefined
}

/** Whether a paste is that of the last key, and not of a menu later. */
function takesPlain({ timeStamp }: ClipboardEvent, lastKey: KeyboardEvent | undefined): boolean {
  if (!lastKey || isFinishing(lastKey) || timeStamp - lastKey.timeStamp > 2000) return false
  const { code, shiftKey, ctrlKey, metaKey } = lastKey
  return code === 'KeyV' && shiftKey && (ctrlKey || metaKey)
}

/**
 * Pastes what the browser would not: files, an address as the link of the selected text, and HTML
 * first as plain text and then, as a second step of undo, as Markdown. In code, formulas, addresses
 * and mentions, text stays plain.
 */
export function paste(event: ClipboardEvent, into: PasteInto): void {
  const { app, editor, addFiles, lastKey, editedId } = into
  const data = event.clipboardData
  if (!data || !editor) return
  const isPlain = takesPlain(event, lastKey)
  const html = data.getData('text/html')
  if (data.files.length > 0 && isFiles(data, html)) {
    event.preventDefault()
    addFiles(data.files)
    return
  }
  const plain = (data.getData('text/plain') || textIn(html)).replace(/\r\n?/g, '\n')
  if (plain === '') return
  const pictures = [...data.files].filter(({ type }) => type.startsWith('image/'))
  let inserted: Edit | undefined
  let isRich = html !== '' && !isPlain
  const change = (selected: SelectedText): Edit | undefined => {
    const around = surroundings(selected)
    const link = isPlain ? undefined : pastedLink(selected, around, plain)
    if (link || !around.isRich) isRich = false
    inserted = link ?? plainEdit(selected, around, plain, html !== '' || pictures.length > 0)
    return inserted
  }
  if (!editor.change(change)) return
  event.preventDefault()
  const textOf = () =>
    editedId === undefined ? draftText(app, editor) : editedText(app, editor, editedId)
  const text = isRich ? textOf() : undefined
  const formatted = inserted && text && formatLater(text, { html, plain, inserted })
  if (inserted && pictures.length > 0) offerPictures(into, pictures, [formatted, inserted.insert])
}

/**
 * Offers to have a picture of what was pasted as text, as office programs copy both.
 *
 * @param shown what may stand in the text for the pictures
 */
function offerPictures(
  { app, editor, addFiles }: PasteInto,
  pictures: readonly File[],
  shown: readonly (Promise<string | undefined> | string | undefined)[],
): void {
  const take = async () => {
    const texts = await Promise.all(shown)
    editor?.change((selected) => {
      const part = texts.find((each) => each !== undefined && selected.text.includes(each))
      return part === undefined ? undefined : replacement(selected, part, '')
    })
    addFiles(pictures)
  }
  const run = () => void take()
  app.notify(t('Pasted as text.'), 'info', { label: t('Paste as picture'), run })
}

/**
 * Whether files are meant, not the text beside them. File managers copy names or paths with them, and
 * browsers the element of a picture; office programs copy a picture of the text.
 */
function isFiles(data: DataTransfer, html: string): boolean {
  if (html !== '') return textIn(html).trim() === ''
  return data.getData('text/plain') === '' || !data.types.includes('text/rtf')
}

function textIn(html: string): string {
  return html === '' ? '' : (parseInert(html).body.textContent ?? '')
}

/** Makes the selected text a link, as in other editors. */
function pastedLink(
  { text, start, end }: SelectedText,
  around: Surroundings,
  pasted: string,
): Edit | undefined {
  const url = pasted.trim()
  const label = text.slice(start, end)
  const words = label.trim()
  // A link contains no other, nor a line break.
  const mayBe = around.isRich && around.place !== 'label' && isUrl(url) && words !== ''
  if (!mayBe || isUrl(words) || /[\n[\]]|[@#]_?\*|<time:|https?:\/\//.test(words)) return undefined
  const insert = label.replace(words, () => `[${words}](${url})`)
  const at = start + insert.trimEnd().length
  return { from: start, to: end, insert, start: at, end: at }
}

/** Undefined where the browser does the same. */
function plainEdit(
  selected: SelectedText,
  { isOneLine, isRich }: Surroundings,
  plain: string,
  hasHtml: boolean,
): Edit | undefined {
  const { start, end } = selected
  if (isOneLine && !isRich) return insertion(selected, inOneLine(plain))
  return hasHtml || (start !== end && isUrl(plain)) ? insertion(selected, plain) : undefined
}

interface Pasted {
  readonly html: string
  readonly plain: string
  readonly inserted: Edit
}

/** @returns the Markdown, if it says more than the plain text */
async function formatLater(
  text: LaterText,
  { html, plain, inserted }: Pasted,
): Promise<string | undefined> {
  // The blanks around the words stay, which HTML does not have.
  const from = inserted.from + inserted.insert.search(/[^ ]|$/)
  const replace = followPart(
    text,
    from,
    inserted.from + inserted.insert.replace(/(?<! ) +$/, '').length,
  )
  let markdown: string | undefined
  try {
    const { htmlToMarkdown } = await import('./html-to-markdown.ts')
    markdown = htmlToMarkdown(html, plain)
  } catch {
    // Without the converter, the plain text stays.
  }
  replace((before, after) => markdown && onOwnLines(markdown, before, after))
  return markdown
}

const blockStart = /^(?:[-*+] |\d+\. |#{1,6} |> |\||`{3})/

/** Lists, tables and the like begin and end with a line. */
function onOwnLines(markdown: string, before: string, after: string): string {
  const last = markdown.slice(markdown.lastIndexOf('\n') + 1).trimStart()
  const isMidLine = before !== '' && !before.endsWith('\n')
  const lead = isMidLine && blockStart.test(markdown) ? '\n' : ''
  const tail = after !== '' && !after.startsWith('\n') && blockStart.test(last) ? '\n' : ''
  return lead + markdown + tail
}

function isUrl(text: string): boolean {
  return /^https?:\/\/\S+$/.test(text.trim())
}

const inOneLine = (text: string) =>
  text
    .split('\n')
    .flatMap((line) => line.trim() || [])
    .join(' ')
