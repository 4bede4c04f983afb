import type { App } from '#client/app.ts'
import { senderName } from '#client/state/names.ts'
import { dateText, momentText, timeText } from '#client/ui/dates.ts'
import { createMarkdownWriter, type MarkdownWriter } from '#shared/markdown-writer.ts'
import { parseInert } from './inert-html.ts'
import { type SelectedPart, selectedParts } from './selected-parts.ts'
import { selectedRange } from './selected-range.ts'

/**
 * Copies messages as plain text and as HTML, made from the messages and not from how the page draws
 * them. Pasted into the box of Parley, they become the source that was written.
 *
 * @returns stops it
 */
export function followCopies(app: App): () => void {
  const copy = (event: ClipboardEvent) => copySelected(app, event)
  document.addEventListener('copy', copy)
  return () => document.removeEventListener('copy', copy)
}

function copySelected(app: App, event: ClipboardEvent): void {
  const { clipboardData, target } = event
  if (!clipboardData || event.defaultPrevented) return
  if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return
  const range = selectedRange()
  const parts = range ? selectedParts(app, range) : []
  if (parts.length === 0) return
  event.preventDefault()
  const { text, html } = copyOf(app, parts)
  clipboardData.setData('text/plain', text)
  clipboardData.setData('text/html', html)
}

interface Copy {
  readonly text: string
  readonly html: string
}

/** One part stands alone. Several parts have the name of each sender once before their messages. */
function copyOf(app: App, parts: readonly SelectedPart[]): Copy {
  const [first] = parts
  if (first && parts.length === 1) return { text: plainOf(first), html: first.body.innerHTML }
  const clock = app.store.settings.peek()
  const days = new Set(parts.map(({ message }) => dateText(message.timestamp)))
  const timeOf = days.size > 1 ? momentText : timeText
  const page = document.createElement('div')
  const texts: string[] = []
  let senderId: number | undefined
  for (const part of parts) {
    const { message } = part
    let head = ''
    if (message.senderId !== senderId) {
      const name = senderName(message, app.store)
      const time = timeOf(message.timestamp, clock)
      const line = document.createElement('p')
      const strong = document.createElement('strong')
      strong.textContent = name
      line.append(strong, `, ${time}`)
      page.append(line)
      head = `${name}, ${time}\n`
    }
    senderId = message.senderId
    const body = document.createElement('div')
    body.append(...part.body.childNodes)
    page.append(body)
    texts.push(head + plainOf({ ...part, body }))
  }
  return { text: texts.join('\n\n'), html: page.innerHTML }
}

function plainOf({ body }: SelectedPart): string {
  const writer = createMarkdownWriter({ bullet: '-', isPlain: true })
  write(body, writer, true)
  return writer.finish()
}

/** The Markdown of a part of a message. */
export function markdownOf({ body }: SelectedPart): string {
  const writer = createMarkdownWriter({ bullet: '-', isRich: true })
  write(parseInert(body.innerHTML).body, writer)
  return writer.finish()
}

/** @param isSeen leaves out what spoilers hide, which is a part of their Markdown */
function write(element: Element, writer: MarkdownWriter, isSeen = false): void {
  const isClosed = isSeen && element.matches('details:not([open])')
  for (const child of element.childNodes) {
    if (isClosed && child !== element.firstElementChild) continue
    if (child instanceof Text) writer.text(child.data)
    if (!(child instanceof Element)) continue
    const attribute = (name: string) =>
      child.getAttribute(name) ?? (name === 'style' ? child.getAttribute('data-style') : '') ?? ''
    writer.open(child.localName, attribute)
    write(child, writer, isSeen)
    writer.close()
  }
}
