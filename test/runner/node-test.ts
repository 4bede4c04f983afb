import { AsyncLocalStorage } from 'node:async_hooks'
import * as node from 'node:test'
import { type Selection, selector } from './selection.ts'

/*
 * Test files get this in place of `node:test`: tests that are not selected are not declared. Node can
 * select some itself, but it decides about a suite before one that opens something first has declared
 * its tests: it would leave out all of them, and never close what was opened.
 */

export { after, afterEach, before, beforeEach, mock } from 'node:test'

const selection = JSON.parse(process.env.TEST_SELECTION ?? '{}') as Partial<Selection>
const isSelected = selector(selection)
/** The names of the suites around a test, from the outermost on. */
const suites = new AsyncLocalStorage<string>()
const fullName = (name: unknown) => [suites.getStore(), name].filter(Boolean).join(' ')

function selectedTest(...declared: unknown[]): Promise<void> {
  if (!isSelected(fullName(declared[0]))) return Promise.resolve()
  return Reflect.apply(node.test, undefined, declared)
}

function namedSuite(...declared: unknown[]): Promise<void> {
  const name = fullName(declared[0])
  const parts = declared.map((part) =>
    typeof part === 'function' ? () => suites.run(name, () => part()) : part,
  )
  return Reflect.apply(node.describe, undefined, parts)
}

// Node's own where all are selected: those know where in a file they were declared.
const selects = Boolean(selection.names?.length || selection.skipped?.length)
export const test = selects ? selectedTest : node.test
export const describe = selects ? namedSuite : node.describe
