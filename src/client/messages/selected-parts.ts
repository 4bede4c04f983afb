import type { App } from '#client/app.ts'
import type { Message } from '#client/state/model.ts'
import { parseInert } from './inert-html.ts'
import { withoutMe } from './message-html.ts'
import { prepareCopy } from './prepare-copy.ts'
import { widgetCopy } from './widget-copy.ts'

/** What is selected of a message. */
export interface SelectedPart {
  readonly message: Message
  /** Its HTML, as it is copied; undefined: it says nothing. */
  readonly body: HTMLElement
  /** Whether it is all of the message. */
  readonly isWhole: boolean
}

/** The parts of messages in a range of the page, in order. */
export function selectedParts(app: App, range: Range): readonly SelectedPart[] {
  const parts: SelectedPart[] = []
  for (const row of document.querySelectorAll<HTMLElement>('.messages > [data-message-id]')) {
    const message = app.store.messages.peek(Number(row.dataset.messageId))
    if (!message || !range.intersectsNode(row)) continue
    const part = partOf(app, message, row, range)
    if (part) parts.push(part)
  }
  return parts
}

function partOf(
  app: App,
  message: Message,
  row: HTMLElement,
  range: Range,
): SelectedPart | undefined {
  const drawn = row.querySelector<HTMLElement>('.rendered')
  const within = drawn ?? row.querySelector<HTMLElement>('.widget')
  if (!within || !range.intersectsNode(within)) return undefined
  const selected = intersection(range, within)
  if (isEmpty(selected)) return undefined
  if (!drawn) return { message, body: widgetCopy(app, message), isWhole: true }
  const isWhole = isSame(selected, drawn)
  const html = message.isMe ? withoutMe(message.html) : message.html
  if (!isWhole) noteSources(drawn, html)
  const body = isWhole ? parseInert(html).body : bodyOf(selected, drawn)
  if (isWhole) noteOpen(drawn, body)
  prepareCopy(body, app)
  return body.textContent?.trim() || body.querySelector('img, audio')
    ? { message, body, isWhole }
    : undefined
}

function intersection(range: Range, element: Element): Range {
  const inner = document.createRange()
  inner.selectNodeContents(element)
  if (range.compareBoundaryPoints(Range.START_TO_START, inner) > 0) {
    inner.setStart(range.startContainer, range.startOffset)
  }
  if (range.compareBoundaryPoints(Range.END_TO_END, inner) < 0) {
    inner.setEnd(range.endContainer, range.endOffset)
  }
  return inner
}

const isEmpty = (range: Range) =>
  range.toString().trim() === '' && !range.cloneContents().querySelector('img, audio, video')

function isSame(range: Range, element: Element): boolean {
  const whole = document.createRange()
  whole.selectNodeContents(element)
  const words = (text: string) => text.replace(/\s+/g, '')
  return words(range.toString()) === words(whole.toString())
}

/** Notes in the page what only the server's HTML says, as the client writes something else there. */
function noteSources(drawn: HTMLElement, html: string): void {
  const { body } = parseInert(html)
  const times = body.querySelectorAll('time')
  for (const [i, time] of drawn.querySelectorAll<HTMLElement>('time').entries()) {
    time.dataset.source = times[i]?.textContent ?? ''
  }
  const heads = body.querySelectorAll('.spoiler-header')
  for (const [i, head] of drawn.querySelectorAll<HTMLElement>('.spoiler-header').entries()) {
    if (heads[i]?.textContent?.trim() === '') head.dataset.source = 'none'
  }
}

/** Opens the spoilers of a copy that are open in the page. */
function noteOpen(drawn: HTMLElement, body: HTMLElement): void {
  const shown = drawn.querySelectorAll('.spoiler-content')
  for (const [i, content] of body.querySelectorAll('.spoiler-content').entries()) {
    content.ariaHidden = shown[i]?.ariaHidden ?? 'true'
  }
}

/** Elements that are copied as a whole. */
const atoms =
  '.katex, .user-mention, .user-group-mention, .topic-mention, .stream, .stream-topic, .message-link, .emoji, .timestamp-error, time'

/** A part of a message, in the elements around it that say what it is. */
function bodyOf(range: Range, drawn: HTMLElement): HTMLElement {
  const first = elementOf(range.startContainer)
  const last = elementOf(range.endContainer)
  const firstAtom = first.closest(atoms)
  const lastAtom = last.closest(atoms)
  if (firstAtom && drawn.contains(firstAtom)) range.setStartBefore(firstAtom)
  if (lastAtom && drawn.contains(lastAtom)) range.setEndAfter(lastAtom)
  const body = document.createElement('div')
  body.append(range.cloneContents())
  continueNumbers(first, body)
  const isLines = range.toString().includes('\n')
  const common = elementOf(range.commonAncestorContainer)
  for (let around = common; around !== drawn && drawn.contains(around); ) {
    if (isKept(around, common, isLines)) {
      const shell = around.cloneNode(false) as HTMLElement
      shell.append(...body.childNodes)
      body.append(shell)
    }
    around = around.parentElement ?? drawn
  }
  return body
}

const elementOf = (node: Node) => (node instanceof Element ? node : node.parentElement) as Element

/** Whether an element around all that is selected says what it is. Words of an item are no item. */
function isKept(around: Element, common: Element, isLines: boolean): boolean {
  // A word of a program is a word.
  if (around.closest('pre, .codehilite')) return isLines
  if (around.matches('strong, em, del, code, a')) return true
  const isRows = common.matches('table, thead, tbody, tr')
  if (isRows) return around.matches('table, thead, tbody, tr')
  return around === common && around.matches('ul, ol, .spoiler-block')
}

/** A list whose first items are not selected goes on with its numbers. */
function continueNumbers(first: Element, body: HTMLElement): void {
  const list = first.closest('ol')
  const copied = body.querySelector('ol')
  if (!list || !copied || list.parentElement?.closest('ol')) return
  const before = [...list.children].findIndex((item) => item.contains(first))
  if (before > 0) copied.start = list.start + before
}
