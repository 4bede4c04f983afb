import { AsyncLocalStorage } from 'node:async_hooks'
import * as node from 'node:test'
import { watched } from './hanging.ts'
import { record } from './record.ts'
import { type Selection, selector } from './selection.ts'

/*
 * Test files get this in place of `node:test`. Tests that are not selected are not declared: Node can
 * select some itself, but it decides about a suite before one that opens something first has declared
 * its tests, so it would leave out all of them, and never close what was opened. What is declared is
 * ended when it hangs.
 */

export { mock } from 'node:test'

const selection = JSON.parse(process.env.TEST_SELECTION ?? '{}') as Partial<Selection>
const isSelected = selector(selection)
/** The names of the suites around a test, from the outermost on. */
const suites = new AsyncLocalStorage<readonly string[]>()

type Declared = readonly unknown[]
type Body = (...given: unknown[]) => unknown

const namesOf = ([name]: Declared): readonly string[] => [
  ...(suites.getStore() ?? []),
  typeof name === 'function' ? name.name : String(name),
]

/** What was declared, with another body. */
function withBody(declared: Declared, change: (body: Body) => Body): Declared {
  return declared.map((part) => (typeof part === 'function' ? change(part as Body) : part))
}

/** The limit that a test has of its own, in milliseconds: Node would end it without a reason. */
function takeLimit(declared: Declared): { limitMs?: number; rest: Declared } {
  const options = declared.find((part) => typeof part === 'object' && part !== null)
  const { timeout, ...others } = (options ?? {}) as { timeout?: number }
  if (timeout === undefined) return { rest: declared }
  return { limitMs: timeout, rest: declared.map((part) => (part === options ? others : part)) }
}

export function test(...declared: Declared): Promise<void> {
  const names = namesOf(declared)
  const name = names.join(' ')
  if (!isSelected(name)) return Promise.resolve()
  const { limitMs, rest } = takeLimit(declared)
  const withLimit = withBody(rest, (body) =>
    watched(
      name,
      (context) => {
        // Before it does anything: one that ends the process leaves nothing else.
        record({ type: 'running', names })
        return body(context)
      },
      limitMs,
    ),
  )
  return Reflect.apply(node.test, undefined, [...withLimit])
}

export function describe(...declared: Declared): Promise<void> {
  const names = namesOf(declared)
  const named = withBody(declared, (body) => (context) => suites.run(names, () => body(context)))
  return Reflect.apply(node.describe, undefined, [...named])
}

/** Declares a hook as `declare` of Node does, which is ended when it hangs. */
const hook =
  (declare: typeof node.before, kind: string) =>
  (...declared: Declared): void => {
    const name = `${kind} ${suites.getStore()?.join(' ') ?? 'the tests of the file'}`
    const { limitMs, rest } = takeLimit(declared)
    Reflect.apply(declare, undefined, [...withBody(rest, (body) => watched(name, body, limitMs))])
  }

export const before = hook(node.before, 'before')
export const after = hook(node.after, 'after')
export const beforeEach = hook(node.beforeEach, 'before each of')
export const afterEach = hook(node.afterEach, 'after each of')
