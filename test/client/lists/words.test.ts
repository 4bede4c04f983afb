import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { wordsOf } from '#client/lists/words.ts'
import { saidMessages } from '#test/support/said-messages.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer({ inProcess: true })
after(server.close)

test('what a message says hides spoilers, and has emoji and formulas once', async () => {
  for (const [content, words] of saidMessages) {
    const { rendered } = await server
      .as('member')
      .post<{ rendered: string }>('/messages/render', { content })
    assert.equal(wordsOf(rendered), words, rendered)
  }
})
