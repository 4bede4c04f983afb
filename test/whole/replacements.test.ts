import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replacementsIn } from '../../.build/replacements.ts'

const isFound = (call: string) => replacementsIn('x.ts', call).length > 0

test('a second argument that may be any text is found', () => {
  assert.ok(isFound("text.replace('a', name)"))
  assert.ok(isFound('text.replaceAll(/a/g, `<$' + '{name}>`)'))
  assert.ok(isFound("text.replace('a', isRaw ? '' : name)"))
  assert.ok(isFound("text.trim().replace('a', nameOf(text))"))
  assert.ok(isFound("text?.replace('a', user.name)"))
})

test('texts in the source and functions are not', () => {
  assert.ok(!isFound("text.replace(/a/, '$1')"))
  assert.ok(!isFound("text.replaceAll('a', `b`)"))
  assert.ok(!isFound("text.replace('a', isRaw ? 'b' : () => name)"))
  assert.ok(!isFound("text.replace('a', () => name)"))
  assert.ok(!isFound("const to = () => name\ntext.replace('a', to)"))
  assert.ok(!isFound('function to() { return name }\ntext.replace(/a/, to)'))
})
