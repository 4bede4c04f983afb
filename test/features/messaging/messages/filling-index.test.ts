import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { findMessage, indexLag, insertMessage } from '#features/foundation/core/queries.ts'
import { fillSearchIndex } from '#features/messaging/messages/jobs.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { context } = server.server

test('what is missing of the search index is filled in steps by a job, not by who writes', async () => {
  const { store } = context
  const message = findMessage(store, await server.say('member', 'public'))
  assert.ok(message)
  const { id: _, lastEditAt: __, lastMovedAt: ___, ...same } = message
  await store.write((tx) => {
    for (let i = 0; i < 1100; i++) insertMessage(tx, same)
  })
  const lag = indexLag(store)
  assert.ok(lag >= 1024, String(lag))
  const id = await server.say('member', 'public', 'words', 'A deipnosophist.')
  const search = async () => {
    const narrow = [['search', 'deipnosophist']]
    const asked = { anchor: 'newest', num_before: 5, num_after: 0, narrow }
    const { messages } = await server
      .as('member')
      .get<{ messages: { id: number }[] }>('/messages', asked)
    return messages.map((each) => each.id)
  }
  assert.deepEqual(await search(), [])
  assert.equal(indexLag(store), lag + 1)
  assert.notEqual(fillSearchIndex.dueAt(store), undefined)
  await fillSearchIndex.run(context, new AbortController().signal)
  assert.equal(fillSearchIndex.dueAt(store), undefined)
  assert.deepEqual(await search(), [id])
})
