/** A piece of a block's content: finished HTML, or one character that may mark emphasis. */
export interface Piece {
  kind: 'atom' | 'star' | 'tilde' | 'break'
  html: string
  /** Whether it starts or ends with white space. */
  spaceFirst: boolean
  spaceLast: boolean
}

export const star: Piece = { kind: 'star', html: '*', spaceFirst: false, spaceLast: false }
export const tilde: Piece = { kind: 'tilde', html: '~', spaceFirst: false, spaceLast: false }
export const lineBreak: Piece = {
  kind: 'break',
  html: '<br>\n',
  spaceFirst: true,
  spaceLast: true,
}

export function atom(html: string, spaceFirst = false, spaceLast = false): Piece {
  return { kind: 'atom', html, spaceFirst, spaceLast }
}

/**
 * Joins pieces to HTML. Applies `***both***`, `**strong**`, `*emphasis*` and `~~deleted~~` to all
 * pieces one after the other. None of them spans a line break.
 */
export function emphasize(pieces: Piece[]): string {
  let done = pieces
  if (done.some((piece) => piece.kind === 'star')) {
    done = replaceSpans(done, bothAt)
    done = replaceSpans(done, strongFinder())
    done = replaceSpans(done, emphasisAt)
  }
  if (done.some((piece) => piece.kind === 'tilde')) done = replaceSpans(done, deletedAt)
  let html = ''
  for (const piece of done) html += piece.html
  return html
}

interface Span {
  end: number
  html: string
}

function replaceSpans(
  pieces: readonly Piece[],
  find: (pieces: readonly Piece[], at: number) => Span | undefined,
): Piece[] {
  const replaced: Piece[] = []
  let at = 0
  while (at < pieces.length) {
    const span = find(pieces, at)
    const piece = pieces[at]
    if (span) replaced.push(atom(span.html))
    else if (piece) replaced.push(piece)
    at = span ? span.end : at + 1
  }
  return replaced
}

function isRun(pieces: readonly Piece[], at: number, kind: Piece['kind'], count: number): boolean {
  for (let offset = 0; offset < count; offset++) {
    if (pieces[at + offset]?.kind !== kind) return false
  }
  return true
}

/** The next piece of this kind in the line, or undefined. */
function nextOf(pieces: readonly Piece[], from: number, kind: Piece['kind']): number | undefined {
  for (let at = from; at < pieces.length; at++) {
    const found = pieces[at]?.kind
    if (found === kind) return at
    if (found === 'break') return undefined
  }
  return undefined
}

/** Whether there is content between two marks, without white space at its ends. */
function holds(pieces: readonly Piece[], from: number, to: number): boolean {
  return to > from && !pieces[from]?.spaceFirst && !pieces[to - 1]?.spaceLast
}

function bothAt(pieces: readonly Piece[], at: number): Span | undefined {
  if (!isRun(pieces, at, 'star', 3)) return undefined
  const close = nextOf(pieces, at + 3, 'star')
  if (close === undefined || !isRun(pieces, close, 'star', 3)) return undefined
  if (!holds(pieces, at + 3, close)) return undefined
  const inside = emphasize(pieces.slice(at + 3, close))
  return { end: close + 3, html: `<strong><em>${inside}</em></strong>` }
}

/** Unlike emphasis, strong text may start and end with spaces and contain single stars. */
function strongFinder(): (pieces: readonly Piece[], at: number) => Span | undefined {
  // No closing mark follows before this piece, so searching again would find nothing.
  let hopelessUntil = 0
  return (pieces, at) => {
    if (at < hopelessUntil || !isRun(pieces, at, 'star', 2)) return undefined
    let close = at + 3
    for (; ; close++) {
      const kind = pieces[close - 1]?.kind
      if (kind === undefined || kind === 'break') {
        hopelessUntil = close - 1
        return undefined
      }
      if (isRun(pieces, close, 'star', 2)) break
    }
    const inside = emphasize(pieces.slice(at + 2, close))
    return { end: close + 2, html: `<strong>${inside}</strong>` }
  }
}

function emphasisAt(pieces: readonly Piece[], at: number): Span | undefined {
  if (!isRun(pieces, at, 'star', 1)) return undefined
  const close = nextOf(pieces, at + 1, 'star')
  if (close === undefined || !holds(pieces, at + 1, close)) return undefined
  return { end: close + 1, html: `<em>${emphasize(pieces.slice(at + 1, close))}</em>` }
}

/** Exactly two tildes on each side. */
function deletedAt(pieces: readonly Piece[], at: number): Span | undefined {
  if (!isRun(pieces, at, 'tilde', 2) || pieces[at - 1]?.kind === 'tilde') return undefined
  const close = nextOf(pieces, at + 2, 'tilde')
  if (close === undefined || close === at + 2 || !isRun(pieces, close, 'tilde', 2)) return undefined
  if (pieces[close + 2]?.kind === 'tilde') return undefined
  return { end: close + 2, html: `<del>${emphasize(pieces.slice(at + 2, close))}</del>` }
}
