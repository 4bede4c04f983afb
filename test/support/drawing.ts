const dayMs = 86_400_000

/** Whether tests try everything, as with `npm test -- --all`, or draw a share of it. */
export const isWhole = process.env.TEST_TIER === 'all'

/** All that tests draw at random follows from this: another number each day, or TEST_SEED. */
export const seed = Number(process.env.TEST_SEED || Math.floor(Date.now() / dayMs))

/**
 * All of a list with `--all`, otherwise a share of it, which follows from the seed. As many seeds in
 * a row as there are shares draw each value once, so that a few days see all of them.
 *
 * @param share such as 1/6: at least one value of a list that is as long as there are shares
 * @param of names the list, so that several of them do not draw the same places
 */
export function draw<T>(list: readonly T[], share: number, of = ''): readonly T[] {
  return isWhole ? list : drawShare(list, Math.round(1 / share), seed + numberOf(of))
}

/** The values of one of `shares` parts of a list, the next one for the next number. */
export function drawShare<T>(list: readonly T[], shares: number, number: number): readonly T[] {
  const first = ((number % shares) + shares) % shares
  return list.filter((_, i) => i % shares === first)
}

/** The same for the same name. */
function numberOf(name: string): number {
  let sum = 0
  for (const character of name) sum = (31 * sum + (character.codePointAt(0) ?? 0)) % 1_000_003
  return sum
}

/** Numbers between 0 and 1 that are the same for the same seed (mulberry32). */
export function createRandom(from: number): () => number {
  let state = from
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
