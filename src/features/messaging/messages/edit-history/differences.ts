import { diffArrays } from 'diff'

/** A number of leaves in a row: in both documents, only in the later, or only in the earlier. */
interface Run {
  readonly change: 'none' | 'inserted' | 'deleted'
  readonly count: number
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
/** The cost of preparing a leaf for comparison, in steps. */
const stepsPerLeaf = 20

export function newDiffBudget(): DiffBudget {
  return { steps: stepsPerRequest }
}

/**
 * The difference between two lists. If that would cost more than half of the remaining budget,
 * everything between the first and the last change counts as replaced, which takes linear time.
 *
 * @param before numbers that are equal where the leaves are
 */
export function differences(
  before: readonly number[],
  after: readonly number[],
  budget: DiffBudget,
): Run[] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const old = before.slice(start, before.length - end)
  const now = after.slice(start, after.length - end)
  const runs: Run[] = [
    { change: 'none', count: start },
    ...(compare(old, now, budget) ?? [
      { change: 'deleted', count: old.length },
      { change: 'inserted', count: now.length },
    ]),
    { change: 'none', count: end },
  ]
  return runs.filter(({ count }) => count > 0)
}

/**
 * Compares one by one; undefined if that would cost more than half of the remaining budget.
 *
 * @source E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986: each edit costs at
 *   most a walk over the lists and over all edits before it
 */
function compare(before: number[], after: number[], budget: DiffBudget): Run[] | undefined {
  const length = before.length + after.length
  const maxEditLength = editsFor(budget.steps / 2 - stepsPerLeaf * length, length)
  if (maxEditLength < 1) return undefined
  const parts = diffArrays(before, after, { maxEditLength })
  const edits = parts
    ? parts.reduce((sum, part) => sum + (part.added || part.removed ? part.count : 0), 0)
    : maxEditLength
  budget.steps -= edits * (edits + length) + stepsPerLeaf * length
  return parts?.map(({ count, added, removed }) => ({
    change: added ? 'inserted' : removed ? 'deleted' : 'none',
    count,
  }))
}

/** The most edits e for which e × (e + length) steps are not more than allowed. */
function editsFor(steps: number, length: number): number {
  return Math.floor((Math.sqrt(Math.max(0, length * length + 4 * steps)) - length) / 2)
}
