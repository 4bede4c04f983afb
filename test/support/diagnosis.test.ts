import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diagnose, onFailure, waitingFor } from './diagnosis.ts'

test('a diagnosis says what is waited for, and what those who have something open say', async () => {
  const isThere = waitingFor(() => 'the first message')
  const isGone = waitingFor(() => 'the last message')
  const forget = onFailure(async () => ['The page is empty.'])
  isThere()
  const lines = await diagnose()
  forget()
  assert.equal(lines[0], 'It waited for: the last message')
  assert.equal(lines.at(-1), 'The page is empty.')
  assert.ok(!lines.some((line) => line.includes('the first message')))
  isGone()
})

test('a diagnosis leaves out what an earlier one said of a test that still waits', async () => {
  const done = waitingFor(() => 'what never comes')
  await diagnose()
  const lines = await diagnose()
  assert.ok(!lines.some((line) => line.includes('what never comes')))
  done()
})

test('a diagnosis does without those who fail or never answer', async () => {
  const forget = [
    onFailure(() => new Promise(() => {})),
    onFailure(() => Promise.reject(new Error('closed'))),
    onFailure(async () => ['The page is empty.']),
  ]
  const [late, failed, last] = (await diagnose(1)).slice(-3)
  for (const each of forget) each()
  assert.equal(late, 'What is open was not described in 1 ms.')
  assert.match(failed ?? '', /^What is open could not be described: Error: closed/)
  assert.equal(last, 'The page is empty.')
})
