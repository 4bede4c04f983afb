import { createContext, Script } from 'node:vm'
import { type Attack, attacksOn, textOf } from './attacks.ts'
import type { FoundPattern } from './listing.ts'

/** CPU of this process in milliseconds: what else the machine does hardly counts. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const context = createContext({})
const probe = new Script('probe()')

/** Runs something, unless it takes too long. @returns whether it came to its end */
function within(timeoutMs: number, run: () => void): boolean {
  context.probe = run
  try {
    probe.runInContext(context, { timeout: timeoutMs })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false
    throw error
  }
}

/** How a pattern is used. */
interface Use {
  readonly regex: RegExp
  /** At how many places of a text it is tried where it does not match; all but for sticky ones. */
  readonly most: number
}

/** Uses a pattern on a text in the way in which its file does. */
function apply({ regex, most }: Use, text: string): void {
  regex.lastIndex = 0
  if (regex.sticky) {
    // One token after the other, and a character where none begins.
    for (let failures = 0; regex.lastIndex < text.length && failures < most; ) {
      const at = regex.lastIndex
      regex.exec(text)
      if (regex.lastIndex > at) continue
      regex.lastIndex = at + 1
      failures++
    }
  } else if (regex.global) {
    for (const _ of text.matchAll(regex));
  } else regex.exec(text)
}

function useOf({ pattern, flags, isRepeated }: FoundPattern, most: number): Use {
  return {
    regex: new RegExp(pattern, isRepeated && !/[gy]/.test(flags) ? `${flags}g` : flags),
    most,
  }
}

/** CPU in milliseconds of the fastest of some uses, each of which is ended after some seconds. */
function costOf(used: Use, text: string): number {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < 3 && least > 1; i++) {
    const before = cpuMs()
    const isOver = within(3 * hopelessMs, () => apply(used, text))
    const ms = cpuMs() - before
    // A machine that does something else may have ended it.
    if (isOver || ms > hopelessMs) least = Math.min(least, ms)
    if (!isOver && ms > hopelessMs) break
  }
  return least
}

/** How far the work for a text may grow with four times the text. Sixteen times is a square. */
const mostGrowth = 8

/**
 * The attack on which a pattern takes more than time in proportion to the text, if there is one.
 *
 * @param length of the texts that all attacks are tried with
 * @param most at how many places of a text it is tried where it does not match
 */
export function superlinearOn(
  found: FoundPattern,
  length: number,
  most = Number.POSITIVE_INFINITY,
): Attack | undefined {
  const used = useOf(found, most)
  const attacks = attacksOn(found.pattern, found.flags)
  let tried = 0
  const isSlow = (text: string) => {
    const begun = performance.now()
    apply(used, text)
    return performance.now() - begun > suspectMs
  }
  const isSuspect = (attack: Attack) => {
    const text = textOf(attack, length)
    // Another program may have had the core meanwhile, which it hardly has twice.
    return isSlow(text) && isSlow(text)
  }
  while (tried < attacks.length) {
    let last: Attack | undefined
    let isFound = false
    const isOver = within(1000, () => {
      while (tried < attacks.length && !isFound) {
        last = attacks[tried++]
        isFound = last !== undefined && isSuspect(last)
      }
    })
    if ((isFound || !isOver) && last && isSuperlinear(used, last, length)) return last
  }
  return undefined
}

/** What takes longer may be slow by itself, or wait for another program. */
const suspectMs = 3
/** What takes longer is not a matter of proportion, in milliseconds of CPU. */
const hopelessMs = 500

function isSuperlinear(used: Use, attack: Attack, length: number): boolean {
  // What takes a power of the text is over before it is long; what does not is measurable.
  for (const from of [length / 8, length / 2, 2 * length]) {
    let least = Number.POSITIVE_INFINITY
    let isMeasured = false
    for (let round = 0; round < 3 && least > mostGrowth; round++) {
      const more = costOf(used, textOf(attack, 4 * from))
      isMeasured ||= more > 5
      if (more > hopelessMs) break
      const less = costOf(used, textOf(attack, from))
      least = more < 5 ? 0 : Math.min(least, more / Math.max(less, 0.02))
    }
    if (least > mostGrowth) return true
    if (isMeasured && from > length) return false
  }
  return false
}

/** CPU in milliseconds of the worst attack on a pattern with texts that are as long as they can be. */
export function worstCost(found: FoundPattern, longest: number): number {
  const used = useOf(found, Number.POSITIVE_INFINITY)
  const costs = attacksOn(found.pattern, found.flags).map((attack) =>
    costOf(used, textOf(attack, longest).slice(0, longest)),
  )
  return Math.max(...costs)
}
