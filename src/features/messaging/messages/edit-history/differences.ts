import { diffWordsWithSpace } from 'diff'

/** A piece of two compared texts: in both, only in the later, or only in the earlier. */
export interface Piece {
  readonly text: string
  readonly change: 'none' | 'inserted' | 'deleted'
}

/**
 * The remaining budget for comparing texts, in steps of about 5 ns, for all comparisons of a
 * request.
 */
export interface DiffBudget {
  steps: number
}

/** About 50 ms, which a few changes to each of some dozen long messages do not reach. */
const stepsPerRequest = 10_000_000
/** The cost of splitting a text into words, in steps per character. */
const stepsPerCharacter = 20

export function newDiffBudget(): DiffBudget {
  return { steps: stepsPerRequest }
}

/**
 * The difference between two texts, word by word. If that would cost more than half of the
 * remaining budget, everything between the first and the last change counts as replaced, which
 * takes linear time.
 */
export function differences(before: string, after: string, budget: DiffBudget): Piece[] {
  const { start, end } = commonEnds(before, after)
  const [old, now] = [
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
  ]
  const pieces: Piece[] = [
    { text: before.slice(0, start), change: 'none' },
    ...(compareWords(old, now, budget) ?? replacement(old, now)),
    { text: before.slice(before.length - end), change: 'none' },
  ]
  return pieces.filter(({ text }) => text !== '')
}

function replacement(before: string, after: string): Piece[] {
  return [
    { text: before, change: 'deleted' },
    { text: after, change: 'inserted' },
  ]
}

/**
 * Compares word by word; undefined if that would cost more than half of the remaining budget.
 *
 * @source E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986: each edit costs at
 *   most a walk over the texts and over all edits before it
 */
function compareWords(before: string, after: string, budget: DiffBudget): Piece[] | undefined {
  const length = before.length + after.length
  const maxEditLength = editsFor(budget.steps / 2 - stepsPerCharacter * length, length)
  if (maxEditLength < 1) return undefined
  const parts = diffWordsWithSpace(before, after, { maxEditLength })
  const edits = parts
    ? parts.reduce((sum, part) => sum + (part.added || part.removed ? part.count : 0), 0)
    : maxEditLength
  budget.steps -= edits * (edits + length) + stepsPerCharacter * length
  return parts?.map(({ value, added, removed }) => ({
    text: value,
    change: added ? 'inserted' : removed ? 'deleted' : 'none',
  }))
}

/** The most edits e for which e × (e + length) steps are not more than allowed. */
function editsFor(steps: number, length: number): number {
  return Math.floor((Math.sqrt(Math.max(0, length * length + 4 * steps)) - length) / 2)
}

/** The lengths of the common beginning and the common end of two texts. */
function commonEnds(before: string, after: string): { start: number; end: number } {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  while (start > 0 && !(isEdge(before, start) && isEdge(after, start))) start--
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const cutsWord = () => !isEdge(before, before.length - end) || !isEdge(after, after.length - end)
  while (end > 0 && cutsWord()) end--
  return { start, end }
}

/** Whether a text can be cut here without cutting a word or a character. */
function isEdge(text: string, at: number): boolean {
  return at === 0 || at === text.length || isSpace(text[at - 1]) || isSpace(text[at])
}

function isSpace(char: string | undefined): boolean {
  return char === ' ' || char === '\n'
}
