import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { commentHabits, habits, habitsIn } from '../../.build/english.ts'
import { choices, misnomersIn } from '../../.build/words.ts'

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
    assert.deepEqual([habitsIn(text, 'title').length, habitsIn(text).length], [1, 0])
  })

  test('finds “at once” in a comment, but not in a text for people', () => {
    const text = 'The session ends at once.'
    assert.deepEqual(habitsIn(text, 'comment'), commentHabits)
    assert.deepEqual(habitsIn(text), [])
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

describe('the check of one word for one thing', () => {
  const namesIn = (source: string, file = 'src/platform/x.ts') =>
    misnomersIn(file, source).map(({ name }) => name)

  test('finds each of the words not to use in the name of a function, a type and a file', () => {
    for (const { say, not } of choices) {
      for (const word of not) {
        const capital = `${word[0]?.toUpperCase()}${word.slice(1)}`
        assert.deepEqual(namesIn(`export function get${capital}() {}`), [`get${capital}`])
        assert.deepEqual(namesIn(`interface ${capital}Row {}`), [`${capital}Row`])
        assert.deepEqual(namesIn('', `src/platform/read-${word}.ts`), [`read-${word}.ts`])
        assert.deepEqual(namesIn('', `src/platform/${word}/limits.ts`), [word])
        assert.deepEqual(namesIn(`export function get_${say}() {}`), [])
      }
    }
  })

  test('finds parameters and variables, with their lines', () => {
    const source =
      'const one = 1\nconst read = (lastAnswer: string) => {\n  let [image] = lastAnswer\n}'
    assert.deepEqual(
      misnomersIn('src/x.ts', source).map(({ name, line }) => [name, line]),
      [
        ['lastAnswer', 2],
        ['image', 3],
      ],
    )
  })

  test('leaves alone members of objects, what takes their names, and texts', () => {
    const fine = [
      "const row = { answer: 'no image' }",
      'interface Row { readonly answer: string; image(): void }',
      'const { answer, image = 1 } = row',
      'for (const { answer } of rows) send({ answer })',
      'const unanswered = 1',
    ]
    assert.deepEqual(
      fine.flatMap((source) => namesIn(source)),
      [],
    )
  })

  test('leaves alone the exceptions', () => {
    assert.deepEqual(namesIn('const image = element', 'src/client/messages/x.ts'), [])
    assert.deepEqual(namesIn('const badImage = 1', 'src/client/messages/x.ts'), ['badImage'])
  })
})
