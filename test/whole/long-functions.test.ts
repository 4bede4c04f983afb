import assert from 'node:assert/strict'
import { test } from 'node:test'
import { longFunctionsIn } from '../../.build/long-functions.ts'

const linesOf = (source: string) => longFunctionsIn('x.ts', source, 3).map(({ lines }) => lines)

test('a function that is too long is found at its line, as are functions and methods in it', () => {
  const source = '\nfunction a() {\n  one()\n  two()\n  const b = () => {\n    1\n    2\n  }\n}\n'
  assert.deepEqual(longFunctionsIn('x.ts', source, 3), [
    { file: 'x.ts', line: 2, lines: 8 },
    { file: 'x.ts', line: 5, lines: 4 },
  ])
  assert.deepEqual(linesOf('class A {\n  a() {\n    1\n    2\n  }\n}'), [4])
})

test('a function of as many lines as allowed is not found', () => {
  assert.deepEqual(linesOf('// A\n// B\nfunction a() {\n  one()\n}\n'), [])
})

test('a function that only returns a list may have any length, but not the functions in it', () => {
  assert.deepEqual(linesOf('const a = () => [\n  1,\n  2,\n  3,\n]'), [])
  assert.deepEqual(linesOf('function a() {\n  return feature({\n    b: 1,\n    c: 2,\n  })\n}'), [])
  assert.deepEqual(linesOf('const a = () => ({\n  b() {\n    1\n    2\n  },\n})'), [4])
  assert.deepEqual(linesOf('function a() {\n  one()\n  return {\n    b: 1,\n  }\n}'), [6])
})
