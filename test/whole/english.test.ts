import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { habits, habitsIn } from '../../.build/english.ts'

describe('the check of the English', () => {
  const examples: readonly string[] = [
    'Who reads row by row hears every sender.',
    'Of more messages, the newest ones are read.',
    'A list, of which only the rows in sight are drawn.',
    'A user, whom the caller cannot see.',
    'Logging out ends the polls, too.',
    'The file is not there any more.',
    'Somebody pinned a message.',
    'The device is told of a message.',
    'A row that says that the message that came first is read.',
    'The caller may not read such a message, or it is gone.',
    'It fails. What this does is that nothing is stored.',
  ]

  test('finds an example of each habit', () => {
    const found = new Set(examples.flatMap((example) => habitsIn(example)))
    assert.deepEqual(
      habits.filter((habit) => !found.has(habit)).map(({ hint }) => hint),
      [],
    )
  })

  test('finds a title without a subject, but only among titles', () => {
    const text = 'and goes on with the one before'
    assert.deepEqual([habitsIn(text, true).length, habitsIn(text).length], [1, 0])
  })

  test('leaves alone what only looks like one', () => {
    const fine = [
      'Who can delete messages.',
      'Of course.',
      'A name that is empty, too long or taken.',
      'Fetch any more messages that there are.',
      'A service such as a bot.',
    ]
    assert.deepEqual(
      fine.filter((text) => habitsIn(text).length > 0),
      [],
    )
  })
})
