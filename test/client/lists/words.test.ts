import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { wordsOf } from '#client/lists/words.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer({ inProcess: true })
after(server.close)

// biome-ignore format: a table reads best in columns
const messages: [content: string, words: string][] = [
  ['To be, or **not** to be?',                         'To be, or not to be?'],
  ['One\n\n- two\n- three\n\n> four',                  'One\ntwo\nthree\nfour'],
  ['a < b & "c" > \'d\'',                              'a < b & "c" > \'d\''],
  ['```spoiler Who did it\nThe **butler**\n\nDid.\n```', 'Who did it\n…'],
  ['Look :octopus: there',                             'Look 🐙 there'],
  ['So $$e = mc^2$$ it is',                            'So e = mc^2 it is'],
  ['$$\\sqrt{x}$$ is a root',                         '\\sqrt{x} is a root'],
  ['@**King Hamlet** [see](https://example.com)',      '@King Hamlet see'],
  ['```js\nlet a = 1\n```',                            'let a = 1'],
  ['| a | b |\n|---|---|\n| 1 | 2 |',                  'a\nb\n1\n2'],
]

test('what a message says hides spoilers, and has emoji and formulas once', async () => {
  for (const [content, words] of messages) {
    const { rendered } = await server
      .as('member')
      .post<{ rendered: string }>('/messages/render', { content })
    assert.equal(wordsOf(rendered), words, rendered)
  }
})
