/** What messages say in notifications, whether the server pushes them or the web client shows them. */
// biome-ignore format: a table reads best in columns
export const saidMessages: [content: string, words: string][] = [
  ['To be, or **not** to be?',                         'To be, or not to be?'],
  ['One\n\n- two\n- three\n\n> four',                  'One\n• two\n• three\nfour'],
  ['a < b & "c" > \'d\'',                              'a < b & "c" > \'d\''],
  ['```spoiler Who did it\nThe **butler**\n\nDid.\n```', 'Who did it\n…'],
  ['Look :octopus: there',                             'Look 🐙 there'],
  ['So $$e = mc^2$$ it is',                            'So e = mc^2 it is'],
  ['$$\\sqrt{x}$$ is a root',                         '\\sqrt{x} is a root'],
  ['@**King Hamlet** [see](https://example.com)',      '@King Hamlet see'],
  ['```js\nlet a = 1\n```',                            'let a = 1'],
  ['```spoiler\nHidden\n```',                           '…'],
  ['One  and   two',                                   'One and two'],
  ['| a | b |\n|---|---|\n| 1 | 2 |',                  'a\nb\n1\n2'],
]
