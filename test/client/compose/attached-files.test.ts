import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attachedFiles } from '#client/compose/attached-files.ts'
import { partToRemove } from '#client/compose/text-edits.ts'

test('the files of a text are its links to uploads, each once', () => {
  const text = [
    'See [plan.pdf](/user_uploads/1/ab/plan.pdf) and [cat.PNG](/user_uploads/1/cd/cat.PNG)',
    '![tone.wav](/user_uploads/1/ef/tone.wav)',
    '[again](/user_uploads/1/ab/plan.pdf) [elsewhere](https://x.example/user_uploads/1/a.png)',
    '[Uploading slow.txt… (x)]()',
  ].join('\n')
  assert.deepEqual(
    attachedFiles(text).map(({ name, path, source }) => [name, path, text.includes(source)]),
    [
      ['plan.pdf', '/user_uploads/1/ab/plan.pdf', true],
      ['cat.PNG', '/user_uploads/1/cd/cat.PNG', true],
      ['tone.wav', '/user_uploads/1/ef/tone.wav', true],
    ],
  )
})

test('a link that stands alone in its line goes with the line', () => {
  const link = '[a](/user_uploads/1/a)'
  assert.equal(partToRemove(`${link}\nmore`, link), `${link}\n`)
  assert.equal(partToRemove(`so\n${link}\nmore`, link), `${link}\n`)
  assert.equal(partToRemove(`so ${link}\nmore`, link), link)
  assert.equal(partToRemove(`so ${link}`, link), link)
  assert.equal(partToRemove(`so\n${link}\n`, link), `\n${link}\n`)
})
