import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textOf } from '#client/commands/shared.ts'

test('of what was shared, each part is written once', () => {
  const url = 'https://example.com/'
  // biome-ignore format: a matrix reads best in columns
  const matrix = [
    ['A page', '',            url, `A page\n${url}`],
    ['A page', 'Read this',   url, `Read this\n${url}`],
    ['',       `See ${url}`,  url, `See ${url}`],
    ['A page', ' ',           '',  'A page'],
    ['',       '',            '',  ''],
  ] as const
  for (const [title, text, address, expected] of matrix) {
    assert.equal(textOf({ title, text, url: address, names: [] }), expected)
  }
})
