/** The open tags at a place in a document. Equal ones of both documents are one object. */
export interface Path {
  /** The innermost tag as it is in the document; '' outside all elements. */
  readonly tag: string
  readonly name: string
  readonly isInline: boolean
  readonly parent: Path | undefined
  readonly inner: Map<string, Path>
  /** The numbers of the leaves that occur here, by their HTML. */
  readonly leaves: Map<string, number>
}

/** A word, a space, a sign, or an element that is compared as a whole. */
export interface Leaf {
  readonly html: string
  /** What is between the leaf before and this one: tags, and spaces between blocks. */
  readonly before: string
  readonly path: Path
  /** Equal for leaves with the same HTML inside the same tags, in both documents. */
  readonly number: number
  /** Equal for leaves with no border of a block between them. */
  readonly block: number
}

export interface Leaves {
  readonly leaves: readonly Leaf[]
  /** What follows the last one. */
  readonly tail: string
}

const inlineNames = new Set(['a', 'code', 'del', 'em', 'span', 'strong'])
const emptyNames = new Set(['br', 'img'])
const wholeNames = new Set(['audio', 'iframe', 'math', 'svg', 'time', 'video'])
const wholeSpan =
  /^<span [^>]*\bclass="(?:emoji|katex|user-mention|user-group-mention|topic-mention)/

const pieces = /<[^<>]*>|[^<]+|</g
/** Languages without spaces are compared character by character. */
const words = /&#?\w+;|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])[\p{L}\p{N}\p{M}_])+|\s+|.\p{M}*/gsu

/**
 * Returns a function that takes rendered messages apart, so that their leaves can be compared. It
 * takes linear time, and accepts any HTML.
 */
export function leafReader(): (html: string) => Leaves {
  const root = newPath('', '', undefined)
  let numbers = 0
  return (html) => {
    const leaves: Leaf[] = []
    let path = root
    let before = ''
    let block = 0
    let preDepth = 0
    /** The element that is read as a whole, and how many of its name are open. */
    let whole: { readonly name: string; html: string; depth: number } | undefined

    function add(leaf: string): void {
      const number = path.leaves.get(leaf) ?? numbers++
      path.leaves.set(leaf, number)
      leaves.push({ html: leaf, before, path, number, block })
      before = ''
    }

    for (const [piece] of html.matchAll(pieces)) {
      const name = piece.startsWith('<') ? nameOf(piece) : ''
      if (whole) {
        whole.html += piece
        if (name === whole.name) whole.depth += 1
        if (name === `/${whole.name}`) whole.depth -= 1
        if (whole.depth > 0) continue
        add(whole.html)
        whole = undefined
      } else if (name === '') {
        if (preDepth === 0 && piece.includes('\n') && piece.trim() === '') before += piece
        else for (const [word] of piece.matchAll(words)) add(word)
      } else if (emptyNames.has(name)) add(piece)
      else if (wholeNames.has(name) || wholeSpan.test(piece))
        whole = { name, html: piece, depth: 1 }
      else {
        before += piece
        const bare = name.replace('/', '')
        if (!inlineNames.has(bare)) block += 1
        if (name === 'hr') continue
        if (bare === 'pre') preDepth += bare === name ? 1 : -1
        if (bare === name) path = enter(path, piece, name)
        else if (bare === path.name) path = path.parent ?? root
      }
    }
    return { leaves, tail: before + (whole?.html ?? '') }
  }
}

function nameOf(tag: string): string {
  return /^<(\/?[a-z][a-z0-9]*)/i.exec(tag)?.[1]?.toLowerCase() ?? ''
}

function enter(path: Path, tag: string, name: string): Path {
  const known = path.inner.get(tag)
  if (known) return known
  const entered = newPath(tag, name, path)
  path.inner.set(tag, entered)
  return entered
}

function newPath(tag: string, name: string, parent: Path | undefined): Path {
  const isInline = inlineNames.has(name)
  return { tag, name, isInline, parent, inner: new Map(), leaves: new Map() }
}
