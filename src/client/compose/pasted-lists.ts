/*
 * Makes lists of what programs have instead: paragraphs with bullets, a list for each level, and
 * boxes that are ticked.
 */

const itemParagraph = 'p, h1, h2, h3, h4, h5, h6'

export function tidyLists(body: HTMLElement): void {
  readActions(body)
  for (const item of body.querySelectorAll('li')) readTask(item)
  for (const list of body.querySelectorAll('ul, ol')) flatten(list)
  makeLists(body)
}

/** An item of a list, which is written as an element beside others. */
interface Item {
  /** From 1. */
  readonly level: number
  /** The number of an item of a list with numbers; NaN: a letter; undefined: the list has none. */
  readonly number: number | undefined
}

/** Puts elements that are items into lists, and lists into the items before them. */
function makeLists(body: HTMLElement): void {
  let lists: Element[] = []
  let last: Element | undefined
  for (const paragraph of body.querySelectorAll(itemParagraph)) {
    const said = itemOf(paragraph)
    if (!said) continue
    if (!last || !follows(paragraph, lists[0])) lists = []
    last = paragraph
    const level = Math.min(said.level, lists.length + 1)
    lists = lists.slice(0, level)
    const name = said.number === undefined ? 'ul' : 'ol'
    let list = lists[level - 1]
    if (!list || list.localName !== name) {
      list = body.ownerDocument.createElement(name)
      if (said.number) list.setAttribute('start', String(said.number))
      const around = lists[level - 2]
      if (around) (around.lastElementChild ?? around).append(list)
      else paragraph.before(list)
      lists = [...lists.slice(0, level - 1), list]
    }
    const item = body.ownerDocument.createElement('li')
    item.append(...paragraph.childNodes)
    list.append(item)
    paragraph.remove()
  }
}

function follows(element: Element, before: Element | undefined): boolean {
  return before !== undefined && element.previousElementSibling === before
}

/** What makes an element an item: `flatten`, or Word, whose bullets and numbers are text that it says to ignore. */
function itemOf(paragraph: Element): Item | undefined {
  const flat = paragraph.getAttribute('data-level')
  if (flat !== null) {
    const number = paragraph.getAttribute('data-number')
    return { level: Number(flat), number: number === null ? undefined : Number(number) }
  }
  const [, digits] = /mso-list:\s*l\d+\s+level(\d)/i.exec(styleOf(paragraph)) ?? []
  if (digits === undefined) return undefined
  const [, sign] = /^(\d+|[a-z]{1,5})[.)]$/i.exec(signOf(paragraph)) ?? []
  return { level: Number(digits), number: sign === undefined ? undefined : Number(sign) }
}

/** Takes the bullet or number out of an item of Word. */
function signOf(paragraph: Element): string {
  let sign = ''
  for (const ignored of [...paragraph.querySelectorAll('[data-style]')]) {
    if (!/mso-list:\s*ignore/i.test(styleOf(ignored))) continue
    sign ||= wordsOf(ignored)
    ignored.remove()
  }
  return sign
}

/**
 * Makes paragraphs of the items of a list that has no others in it, where these say how deep they are:
 * Slack and Word for the web begin a list for each level, Quill has one for all.
 */
function flatten(list: Element): void {
  const items = [...list.querySelectorAll(':scope > li')]
  const isNested = list.parentElement?.closest('li') || list.querySelector('ul, ol')
  if (isNested || items.length === 0 || items.some((item) => levelOf(item) === undefined)) return
  const start = Number.parseInt(list.getAttribute('start') ?? '1', 10)
  const paragraphs = items.map((item, at) => {
    const paragraph = list.ownerDocument.createElement('p')
    paragraph.setAttribute('data-level', String(levelOf(item)))
    const kind = item.getAttribute('data-list')
    const isOrdered = kind === null ? list.localName === 'ol' : kind === 'ordered'
    if (isOrdered) paragraph.setAttribute('data-number', String(kind === null ? start + at : 1))
    paragraph.append(...item.childNodes)
    return paragraph
  })
  // Word for the web has a box around each list.
  const around = list.parentElement
  const box = around?.localName === 'div' && around.childElementCount === 1 ? around : list
  box.replaceWith(...paragraphs)
}

/** How deep an item says that it is. */
function levelOf(item: Element): number | undefined {
  const slack = item.parentElement?.getAttribute('data-indent')
  if (slack) return Number(slack) + 1
  const word = item.getAttribute('data-aria-level')
  if (word) return Number(word)
  const [, quill] = /\bql-indent-(\d)\b/.exec(item.className) ?? []
  if (quill) return Number(quill) + 1
  const isQuill =
    item.hasAttribute('data-list') || item.parentElement?.querySelector('.ql-indent-1')
  return isQuill ? 1 : undefined
}

/** Confluence writes tasks as boxes without a list. */
function readActions(body: HTMLElement): void {
  for (const box of body.querySelectorAll('[data-node-type="actionList"]')) {
    const list = body.ownerDocument.createElement('ul')
    for (const action of box.querySelectorAll(':scope > [data-task-state]')) {
      const item = body.ownerDocument.createElement('li')
      item.setAttribute('data-checked', String(action.getAttribute('data-task-state') === 'DONE'))
      item.append(...action.childNodes)
      list.append(item)
    }
    box.replaceWith(list)
  }
}

/** Writes the box of a task before its words, as lists of tasks are written in Markdown. */
function readTask(item: Element): void {
  const isDone = tickOf(item)
  if (isDone === undefined) return
  const words = wordsIn(item)
  let first: ChildNode | undefined = words[0]
  while (first?.parentElement && first.parentElement !== item && !isBlock(first.parentElement)) {
    first = first.parentElement
  }
  const box = isDone ? '[x] ' : '[ ] '
  if (first) first.before(box)
  else item.prepend(box)
}

/** What a task is ticked in; the last is Discourse's. */
const boxes = 'input[type="checkbox"], [role="checkbox"], .chcklst-box'

/** Whether an item is a task that is done; undefined: it is no task. */
function tickOf(item: Element): boolean | undefined {
  const quill = item.getAttribute('data-list')
  if (quill === 'checked' || quill === 'unchecked') return quill === 'checked'
  // Confluence's own pages have no box either.
  if (item.hasAttribute('data-inline-task-id')) return item.classList.contains('checked')
  for (const name of ['data-checked', 'aria-checked']) {
    const said = item.getAttribute(name)
    if (said !== null) return said === 'true'
  }
  const box = item.querySelector(boxes)
  if (box?.closest('li') !== item) return undefined
  const [first] = wordsIn(item)
  if (first && box.compareDocumentPosition(first) & Node.DOCUMENT_POSITION_PRECEDING) {
    return undefined
  }
  const isTicked = box.hasAttribute('checked') || box.classList.contains('checked')
  return isTicked || box.getAttribute('aria-checked') === 'true'
}

/** The texts of an item that are not blank, without those of lists in it. */
function wordsIn(item: Element): readonly Text[] {
  const walk = item.ownerDocument.createTreeWalker(item, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  for (let text = walk.nextNode(); text; text = walk.nextNode()) {
    if (wordsOf(text) !== '' && text.parentElement?.closest('li') === item) texts.push(text as Text)
  }
  return texts
}

const isBlock = (element: Element) => element.matches('p, div, h1, h2, h3, h4, h5, h6')

/** `parseInert` renames the attribute of styles. */
export const styleOf = (element: Element) => element.getAttribute('data-style') ?? ''

export const wordsOf = (node: Node) => (node.textContent ?? '').trim()
