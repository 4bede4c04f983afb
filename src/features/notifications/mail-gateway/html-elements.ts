import type { MarkdownWriter } from '#shared/markdown-writer.ts'

/** An element that begins. */
export interface StartedElement {
  readonly name: string
  readonly attribute: (name: string) => string
  /** Whether nothing in it is visible to readers. */
  readonly isMuted: boolean
  /** Whether its tag ends with `/`, which only pictures and formulas heed. */
  readonly isEmpty: boolean
}

/** Tracks the open elements while the tags of HTML are read, in constant time per tag. */
export interface ElementStack {
  start(element: StartedElement): void
  end(name: string): void
  text(text: string): void
  /** Whether the innermost element is of a picture or formula, where HTML's rules do not apply. */
  isForeign(): boolean
}

const words = (text: string) => new Set(text.split(/\s+/))

/** Elements that have neither contents nor an end. */
const empty = words(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr',
)
/** Elements of the document itself: a mail of several documents repeats them. */
const frames = words('html head body')
/** Cells: elements that begin in one end in it. */
const cells = words('td th caption')
const rows = words('tr thead tbody tfoot')
const foreign = words('svg math')
/** Elements that end a paragraph, and that end tags of formatting do not cross. */
const blocks =
  words(`address article aside blockquote center dd details dialog dir div dl dt fieldset
  figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li listing main menu nav ol p pre
  search section summary table ul xmp`)

/** Elements that are not blocks, but whose end tags cross blocks. */
const containers = words('button noscript object select svg math template')
const tables = words('table')
const blocksAndCells = new Set([...blocks, ...cells])

/**
 * The open elements that end when an element begins that cannot be inside them, and the elements
 * that prevent this.
 */
const endedBy: Readonly<Record<string, readonly [ended: Set<string>, within: Set<string>]>> = {
  li: [words('li'), words('ul ol menu dir td th caption')],
  dd: [words('dd dt'), words('dl td th caption')],
  dt: [words('dd dt'), words('dl td th caption')],
  td: [cells, words('tr table')],
  th: [cells, words('tr table')],
  tr: [words('tr caption'), words('table')],
  thead: [words('thead tbody tfoot caption'), words('table')],
  tbody: [words('thead tbody tfoot caption'), words('table')],
  tfoot: [words('thead tbody tfoot caption'), words('table')],
  a: [words('a'), words('td th caption')],
}
const paragraph = words('p')

/** Deeper elements are read as text, because nobody nests this deep by hand. */
const deepest = 100

interface Open {
  readonly name: string
  readonly isMuted: boolean
}

/** Writes the elements that begin and end, apart from muted ones. */
export function createElementStack(writer: MarkdownWriter): ElementStack {
  const open: Open[] = []
  /** The number of open elements that are too deep, by name. */
  const deeper = new Map<string, number>()
  const isMuted = () => open.at(-1)?.isMuted ?? false
  const isForeign = () => open.some(({ name }) => foreign.has(name))

  /** Ends the innermost element with one of these names, and those in it. */
  function endInnermost(names: Set<string>, within: Set<string>): void {
    const at = open.findLastIndex(({ name }) => names.has(name) || within.has(name))
    if (names.has(open[at]?.name ?? '')) endFrom(at)
  }

  function addEmpty(name: string): void {
    if (isMuted()) return
    writer.open(name)
    writer.close()
  }

  function endFrom(at: number): void {
    deeper.clear()
    for (const { isMuted: wasMuted } of open.splice(at).reverse()) if (!wasMuted) writer.close()
  }

  function endImplied(name: string): void {
    if (deeper.size > 0) return
    if (blocks.has(name)) endInnermost(paragraph, cells)
    const implied = endedBy[name]
    if (implied) endInnermost(...implied)
    // Text of HTML in a picture or formula: it was not ended.
    if (blocks.has(name)) endInnermost(foreign, new Set())
  }

  return {
    start({ name, attribute, isMuted: isMutedItself, isEmpty }) {
      if (frames.has(name)) return
      endImplied(name)
      if (empty.has(name)) {
        if (name === 'br' || name === 'hr') addEmpty(name)
        return
      }
      if (isEmpty && (foreign.has(name) || isForeign())) return
      if (open.length >= deepest) {
        deeper.set(name, (deeper.get(name) ?? 0) + 1)
        return
      }
      const muted = isMutedItself || isMuted()
      open.push({ name, isMuted: muted })
      if (!muted) writer.open(name, attribute)
    },
    end(name) {
      if (name === 'br') addEmpty('br')
      const count = deeper.get(name)
      if (count !== undefined) {
        if (count > 1) deeper.set(name, count - 1)
        else deeper.delete(name)
        return
      }
      endInnermost(new Set([name]), withinWhich(name))
    },
    text(text) {
      if (!isMuted()) writer.text(text)
    },
    isForeign,
  }
}

/** The elements in which end tags of outer elements are ignored. */
function withinWhich(name: string): Set<string> {
  if (cells.has(name) || rows.has(name) || name === 'table') return tables
  return blocks.has(name) || containers.has(name) ? cells : blocksAndCells
}
