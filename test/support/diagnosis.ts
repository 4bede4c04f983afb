import { setTimeout as after } from 'node:timers/promises'
import { inspect } from 'node:util'

/** How long to collect what tells why a test failed, in milliseconds. */
const patience = 5_000

/** Says something that helps to see why a test failed, such as where a picture of a page is. */
export type Describe = () => Promise<readonly string[]>

/** What the test files of this process have open, in the order in which they opened it. */
const describers = new Set<Describe>()

/** What tests wait for, by a key of its own each: two may wait for the same. */
const waits = new Map<symbol, () => string>()

/** Has `describe` asked whenever a test fails, until the returned function is called. */
export function onFailure(describe: Describe): () => void {
  const own: Describe = () => describe()
  describers.add(own)
  return () => void describers.delete(own)
}

/**
 * Notes what a test waits for, for the case that it is ended meanwhile.
 *
 * @param text says what should happen, as in "the inbox lists two topics", when someone asks
 * @returns to be called when it has happened, or when nobody waits any longer
 */
export function waitingFor(text: () => string): () => void {
  const key = Symbol('wait')
  waits.set(key, text)
  return () => void waits.delete(key)
}

/**
 * Collects what a failed test waited for, and what is to be said about what it has open. Takes a few
 * seconds at most: what has no answer by then is left out, and said to be missing.
 */
export async function diagnose(patienceMs = patience): Promise<string[]> {
  const waited = [...waits.values()].map((text) => `It waited for: ${text()}`)
  // A test that has been ended may go on waiting: that is not the next one's.
  waits.clear()
  const late = new AbortController()
  const answers = [...describers].map((describe) =>
    Promise.race([
      describe(),
      after(patienceMs, [`What is open was not described in ${patienceMs} ms.`], late),
    ]).catch((error: unknown) => [`What is open could not be described: ${inspect(error)}`]),
  )
  const described = await Promise.all(answers)
  late.abort()
  return [...waited, ...described.flat()]
}
