import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { messageText, shortened } from '#shared/message-text.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

// biome-ignore format: a table reads best in columns
const said: [content: string, words: string][] = [
  ['To be, or **not** to be?',                         'To be, or not to be?'],
  ['One\n\n- two\n- three\n\n> four',                  'One\n• two\n• three\nfour'],
  ['a < b & "c" > \'d\'',                              'a < b & "c" > \'d\''],
  ['```spoiler Who did it\nThe **butler**\n\nDid.\n```', 'Who did it\n…'],
  ['Look :octopus: there',                             'Look 🐙 there'],
  ['I :heart: it',                                     'I ❤️ it'],
  ['So $$e = mc^2$$ it is',                            'So e = mc^2 it is'],
  ['$$\\sqrt{x}$$ is a root',                         '\\sqrt{x} is a root'],
  ['$$\\begin{matrix}a\\end{matrix}$$',               '\\begin{matrix}a\\end{matrix}'],
  ['@**King Hamlet** [see](https://example.com)',      '@King Hamlet see'],
  ['```js\nlet a = 1\n```',                            'let a = 1'],
  ['```spoiler\nHidden\n```',                           '…'],
  ['2&#42;3&#x2a;4 &#0;&#xd800;&copy;',                '2*3*4 &#0;&#xd800;&copy;'],
  ['One  and   two',                                   'One and two'],
  ['| a | b |\n|---|---|\n| 1 | 2 |',                  'a\nb\n1\n2'],
  ['https://example.com/cat.png',                      ''],
]

test('what a message says hides spoilers and previews, and has emoji and formulas once', async () => {
  for (const [content, words] of said) {
    const { rendered } = await server
      .as('member')
      .post<{ rendered: string }>('/messages/render', { content })
    assert.equal(messageText(rendered), words, rendered)
  }
})

test('a text is shortened by characters, not in the middle of one', () => {
  assert.equal(shortened('🐙🐙🐙', 3), '🐙🐙🐙')
  assert.equal(shortened('🐙🐙🐙🐙', 3), '🐙🐙🐙…')
})
