import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutEnd } from '#shared/without-end.ts'

test('characters are taken from the end of a text alone', () => {
  assert.equal(withoutEnd('https://example.com/a//', '/'), 'https://example.com/a')
  assert.equal(withoutEnd('/a/b', '/'), '/a/b')
  assert.equal(withoutEnd('python3.12', '0123456789.'), 'python')
  assert.equal(withoutEnd('...', '.'), '')
  assert.equal(withoutEnd('', '.'), '')
})
