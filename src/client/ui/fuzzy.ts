/**
 * Ranks names by how well they match a typed text. Small on purpose: names are short, and the order
 * matters more than tolerance of every typing error.
 */

const known = new Map<string, string>()
/** The names and addresses of 20 000 people, with room for channels and topics. */
const mostKnown = 60_000

/** Without case, diacritics and apostrophes: `e` also matches `É` and `é`, `o'b` matches `O’Brien`. */
export function fold(text: string): string {
  let folded = known.get(text)
  if (folded === undefined) {
    const lower = text.replace(/['’‘ʼ`´]/g, '').toLowerCase()
    // Most names need no more, and there may be thousands of them.
    const isAscii = /^[ -~]*$/.test(lower)
    folded = isAscii ? lower : lower.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
    // All beginnings of typed names add up.
    if (known.size >= mostKnown) known.clear()
    known.set(text, folded)
  }
  return folded
}

/**
 * How well a text matches a query, the less the better: the same (0), begins with it (1), has words
 * that begin with its words (2), has it inside (3), has its characters in that order (4 and more).
 * Undefined: not at all.
 */
export function matchScore(query: string, text: string): number | undefined {
  return scoreOf(queryOf(query), text)
}

/** Whether a text occurs in names, or at the beginnings of their words. */
export function matcher(query: string): (...names: readonly string[]) => boolean {
  const typed = queryOf(query)
  if (typed.wanted === '') return () => true
  return (...names) => names.some((name) => scoreOf(typed, name, 3) !== undefined)
}

/** A typed text, prepared for comparing it with many texts. */
interface Query {
  readonly wanted: string
  readonly parts: readonly string[]
}

function queryOf(query: string): Query {
  const wanted = fold(query).trim()
  return { wanted, parts: wanted.split(/\s+/) }
}

/** @param worst the worst score that counts: worse ones take longer to find */
function scoreOf({ wanted, parts }: Query, text: string, worst = 5): number | undefined {
  if (wanted === '') return 1
  const name = fold(text)
  if (name === wanted) return 0
  if (name.startsWith(wanted)) return 1
  if (worst < 2) return undefined
  if (parts.every((part) => beginsWord(part, name))) return 2
  if (name.includes(wanted)) return 3
  return worst < 4 ? undefined : subsequenceScore(wanted, name)
}

/** Whether a word of the name begins so. */
function beginsWord(part: string, name: string): boolean {
  for (let at = name.indexOf(part); at >= 0; at = name.indexOf(part, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(name.charAt(at - 1))) return true
  }
  return false
}

/** 4 where the characters follow each other closely, up to 5 where they are far apart. */
function subsequenceScore(wanted: string, name: string): number | undefined {
  // Single characters and the like would match everything.
  if (wanted.length < 3) return undefined
  let from = 0
  let first = -1
  for (const character of wanted) {
    if (character === ' ') continue
    const found = name.indexOf(character, from)
    if (found < 0) return undefined
    if (first < 0) first = found
    from = found + 1
  }
  const spread = from - first - wanted.length
  return spread > wanted.length * 3 ? undefined : 4 + Math.min(spread / 100, 1)
}

export interface RankOptions<T> {
  /** The names of an item; the best match counts. */
  readonly names: (item: T) => string | readonly string[]
  /** Among equally good ones, the less the earlier. */
  readonly order?: (a: T, b: T) => number
  readonly limit?: number
  /** The worst score that still counts: 3 leaves out merely similar ones. */
  readonly worst?: number
}

/** The items that match a query, the best first; equally good ones in `order`, or as they came. */
export function rank<T>(items: Iterable<T>, query: string, options: RankOptions<T>): T[] {
  const { names, order, limit = Number.POSITIVE_INFINITY, worst = 5 } = options
  const typed = queryOf(query)
  const compare = (a: FuzzyMatch<T>, b: FuzzyMatch<T>) =>
    a.score - b.score || (order?.(a.item, b.item) ?? 0) || a.index - b.index
  let found: FuzzyMatch<T>[] = []
  /** The last of the best so far, once there are enough. */
  let last: FuzzyMatch<T> | undefined
  const sort = () => {
    found.sort(compare)
    found = found.slice(0, limit)
    last = found.length === limit ? found.at(-1) : undefined
  }
  let index = 0
  for (const item of items) {
    const score = bestScore(typed, names(item), worst)
    if (score === undefined || score > worst) continue
    const one = { item, score, index: index++ }
    // Only the best few of thousands are wanted, and sorting all of them would take long.
    if (last && compare(one, last) > 0) continue
    found.push(one)
    if (found.length >= 2 * limit) sort()
  }
  sort()
  return found.map(({ item }) => item)
}

interface FuzzyMatch<T> {
  readonly item: T
  readonly score: number
  readonly index: number
}

function bestScore(
  query: Query,
  names: string | readonly string[],
  worst: number,
): number | undefined {
  if (typeof names === 'string') return scoreOf(query, names, worst)
  let best: number | undefined
  for (const name of names) {
    const score = scoreOf(query, name, worst)
    if (score !== undefined && (best === undefined || score < best)) best = score
  }
  return best
}

/** The order of names without case and diacritics; far faster than a collator. */
export function byFolded(a: string, b: string): number {
  const [x, y] = [fold(a), fold(b)]
  return x < y ? -1 : x > y ? 1 : 0
}
