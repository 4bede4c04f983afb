import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Submessage } from '#client/state/model.ts'
import { nextIndex, widgetOf } from '#shared/widget-state.ts'

const author = 1
const other = 2

/** Submessages of these senders and contents. */
function steps(...contents: readonly (readonly [senderId: number, content: unknown])[]) {
  return contents.map(
    ([senderId, content], id): Submessage => ({ id, senderId, content: JSON.stringify(content) }),
  )
}

const poll = { widget_type: 'poll', extra_data: { question: 'Lunch?', options: ['Soup'] } }
const list = {
  widget_type: 'todo',
  extra_data: { task_list_title: 'Move', tasks: [{ task: 'Pack', desc: '' }] },
}

test('a poll counts the last vote of each person for each option', () => {
  const widget = widgetOf(
    steps(
      [author, poll],
      [other, { type: 'new_option', option: 'Pizza', idx: 0 }],
      [author, { type: 'vote', key: '2,0', vote: 1 }],
      [other, { type: 'vote', key: '2,0', vote: 1 }],
      [author, { type: 'vote', key: '2,0', vote: -1 }],
      [author, { type: 'vote', key: 'canned,0', vote: 1 }],
    ),
    author,
  )
  assert.deepEqual(widget, {
    kind: 'poll',
    question: 'Lunch?',
    options: [
      { key: 'canned,0', text: 'Soup', voterIds: [author] },
      { key: '2,0', text: 'Pizza', voterIds: [other] },
    ],
  })
})

test('an option that is added twice is one, whose votes count under each of its keys', () => {
  const twice = { ...poll, extra_data: { question: '', options: ['Soup', 'Rice', 'Soup'] } }
  const widget = widgetOf(
    steps(
      [author, twice],
      [other, { type: 'new_option', option: 'Rice', idx: 0 }],
      [other, { type: 'new_option', option: 'Soup', idx: 0 }],
      [author, { type: 'vote', key: 'canned,2', vote: 1 }],
      [other, { type: 'vote', key: '2,0', vote: 1 }],
      [author, { type: 'vote', key: 'canned,1', vote: 1 }],
      [author, { type: 'vote', key: '2,0', vote: -1 }],
    ),
    author,
  )
  assert.deepEqual(widget, {
    kind: 'poll',
    question: '',
    options: [
      { key: 'canned,0', text: 'Soup', voterIds: [author] },
      { key: 'canned,1', text: 'Rice', voterIds: [other] },
    ],
  })
})

test('only the author of a poll changes its question', () => {
  const question = (senderId: number) => {
    const step = { type: 'question', question: 'Dinner?' }
    const widget = widgetOf(steps([author, poll], [senderId, step]), author)
    return widget?.kind === 'poll' && widget.question
  }
  assert.equal(question(other), 'Lunch?')
  assert.equal(question(author), 'Dinner?')
})

test('a task that is struck twice is to be done again, by whichever key', () => {
  const task = { type: 'new_task', key: 5, task: 'Lift', desc: '' }
  const done = (...keys: string[]) => {
    const strikes = keys.map((key) => [author, { type: 'strike', key }] as const)
    const widget = widgetOf(steps([author, list], [other, task], ...strikes), author)
    return widget?.kind === 'todo' && widget.tasks.map(({ isDone }) => isDone)
  }
  assert.deepEqual(done(), [false, false])
  assert.deepEqual(done('0,canned', '5,2'), [true, true])
  assert.deepEqual(done('canned,0', '2,5'), [true, true])
  assert.deepEqual(done('canned,0', '0,canned', '5,2', '2,5'), [false, false])
})

test('a task that is added goes to the end', () => {
  const task = { type: 'new_task', key: 0, task: 'Lift', desc: 'With your knees', completed: false }
  const widget = widgetOf(steps([author, list], [other, task]), author)
  assert.deepEqual(widget?.kind === 'todo' && widget.tasks.map(({ text }) => text), [
    'Pack',
    'Lift',
  ])
})

test('each person counts their own options', () => {
  const added = steps(
    [author, poll],
    [other, { type: 'new_option', option: 'Pizza', idx: 0 }],
    [other, { type: 'new_option', option: 'Rice', idx: 4 }],
  )
  assert.equal(nextIndex(added, other), 5)
  assert.equal(nextIndex(added, author), 0)
})

test('what cannot be read is no widget', () => {
  assert.equal(widgetOf([], author), undefined)
  assert.equal(widgetOf([{ senderId: author, content: '{' }], author), undefined)
  assert.equal(widgetOf(steps([author, { widget_type: 'chess' }]), author), undefined)
})
