import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mutantsOf, withMutants } from './mutants.ts'

/** What each mutant of a source does to it. */
const changes = (source: string) =>
  mutantsOf('a.ts', source).map(
    ({ start, end, replacement }) => `${source.slice(start, end)} => ${replacement}`,
  )

test('operators, conditions, numbers, booleans and calls are changed', () => {
  assert.deepEqual(changes('if (a < 1) f(true)'), [
    'a < 1 => !(a < 1)',
    'a < 1 => (a) <= (1)',
    '1 => 2',
    'f(true) => ;',
    'true => false',
  ])
  assert.deepEqual(changes('const b = !c'), ['!c => !!(c)'])
})

test('types, keys and imports are left alone', () => {
  assert.deepEqual(changes("import a from 'a' with { type: 'json' }"), [])
  assert.deepEqual(changes('type A = 1 | true'), [])
  assert.deepEqual(changes('const a: 1 = b as 1'), [])
  assert.deepEqual(changes('const a = { 1: b }'), [])
})

test('a mutant acts while it is on, and otherwise the source does', () => {
  const source = 'const found = a < 2; if (found) call()'
  const mutants = mutantsOf('a.ts', source)
  const swapped = mutants.findIndex(({ replacement }) => replacement === '(a) <= (2)')
  const left = mutants.findIndex(({ isExpression }) => !isExpression)
  const chosen = [swapped, left].map((i) => [i, mutants[i] as (typeof mutants)[number]] as const)
  const run = new Function(
    'globalThis',
    'a',
    `const calls = []; const call = () => calls.push(1); ${withMutants(source, chosen)}; return [found, calls.length]`,
  )
  const whenOn = (on: number) => run({ isMutantOn: (mutant: number) => mutant === on }, 2)
  assert.deepEqual(whenOn(-1), [false, 0])
  assert.deepEqual(whenOn(swapped), [true, 1])
  assert.deepEqual(
    run({ isMutantOn: (mutant: number) => mutant === left || mutant === swapped }, 2),
    [true, 0],
  )
})
