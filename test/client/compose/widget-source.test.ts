import assert from 'node:assert/strict'
import { test } from 'node:test'
import { widgetSource } from '#client/compose/widget-source.ts'

const table: [text: string, made: ReturnType<typeof widgetSource>][] = [
  [
    '/poll Where do we eat?\nPizza\n\n- Noodles\n',
    { kind: 'poll', title: 'Where do we eat?', lines: ['Pizza', 'Noodles'] },
  ],
  ['/poll', { kind: 'poll', title: '', lines: [] }],
  ['/poll Tea?\nyes\n- yes', { kind: 'poll', title: 'Tea?', lines: ['yes'] }],
  ['/todo Tea\nyes\nyes', { kind: 'todo', title: 'Tea', lines: ['yes', 'yes'] }],
  ['/poll Frost?\n-5\n  *  5\n-', { kind: 'poll', title: 'Frost?', lines: ['-5', '5'] }],
  ['  /todo Move\n* Boxes', { kind: 'todo', title: 'Move', lines: ['Boxes'] }],
  ['/todo\nA: b', { kind: 'todo', title: '', lines: ['A: b'] }],
  ['/polling station', undefined],
  ['/me waves', undefined],
  ['What about /poll?', undefined],
  ['', undefined],
]

for (const [text, made] of table) {
  test(`${JSON.stringify(text)} makes ${made ? `a ${made.kind}` : 'a message'} when it is sent`, () => {
    assert.deepEqual(widgetSource(text), made)
  })
}
