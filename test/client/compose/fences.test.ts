import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isOnlyFences } from '#client/compose/fences.ts'

describe('a text of nothing but marks of blocks', () => {
  for (const marks of ['```', '````', '~~~']) {
    for (const info of ['', 'js', ' js', 'quote', 'spoiler', 'math', 'js title']) {
      for (const inner of ['', '\n', '\n\n', '\n  \n']) {
        for (const end of [`\n${marks}`, `\n${marks}\n`, '']) {
          const empty = `${marks}${info}${inner}${end}`
          test(`is ${JSON.stringify(empty)}`, () => {
            assert.equal(isOnlyFences(empty), true)
            assert.equal(isOnlyFences(`\n${empty}`), true)
          })
          test(`is ${JSON.stringify(empty)} no more with a word inside or below`, () => {
            assert.equal(isOnlyFences(`${marks}${info}\nword${inner}${end}`), false)
            assert.equal(isOnlyFences(`word\n${empty}`), false)
            if (end !== '') assert.equal(isOnlyFences(`${empty.trimEnd()}\nword`), false)
          })
        }
      }
    }
  }
  for (const text of [
    '',
    ' ',
    'word',
    '```spoiler A title\n```',
    '```js``` in a line',
    '- ```\n  x',
  ]) {
    test(`is not ${JSON.stringify(text)}`, () => assert.equal(isOnlyFences(text), false))
  }
})
