import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { shownText } from '#features/notifications/push/text.ts'
import { saidMessages } from '#test/support/said-messages.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer({ inProcess: true })
after(server.close)

test('what a push says of a message is what the web client says of it', async () => {
  for (const [content, words] of saidMessages) {
    const { rendered } = await server
      .as('member')
      .post<{ rendered: string }>('/messages/render', { content })
    assert.equal(shownText(rendered), words, rendered)
  }
})
